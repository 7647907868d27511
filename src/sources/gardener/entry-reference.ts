/**
 * `spec.reference`: an entry takes targets or texts from another entry, and what it does not say
 * itself of TTL, owner and look-ups (Gardener docs, DNSEntry "reference"). That one may refer to a
 * third.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { DNS_ENTRY } from "../../model/kinds.ts";

/** Where a chain of references begins. */
export interface Referrer {
  readonly namespace: string;
  readonly name: string;
  readonly spec: Fields;
}

/** The entry that a reference is to. */
type Referred = Omit<Referrer, "spec">;

/** What is wrong with a reference. */
export interface ReferenceTrouble {
  readonly code: "InvalidReference" | "ReferenceNotFound";
  readonly message: string;
  readonly field: string;
}

/** Fields that a reference gives; those of the values are its own alone. */
const VALUES: readonly string[] = ["targets", "text"];
const INHERITED: readonly string[] = [
  ...VALUES,
  "ttl",
  "ownerId",
  "cnameLookupInterval",
  "resolveTargetsToAddresses",
];
/** Entries of one chain; more is a mistake. */
const CHAIN_MAX = 10;

/**
 * The spec with what its reference gives; one without a reference is answered as it is.
 * `anyNamespace`: it may be to an entry of another namespace.
 */
export function withReference(
  { namespace, name, spec }: Referrer,
  view: ClusterView,
  anyNamespace = false,
): Result<Fields, ReferenceTrouble> {
  const chain = [name];
  let seen = spec;
  let near = namespace;
  while (Object.keys(fieldsOf(seen["reference"])).length > 0) {
    const target = targetOf(seen, near, anyNamespace);
    if (!target.ok) return target;
    near = target.value.namespace;
    chain.push(near === namespace ? target.value.name : `${near}/${target.value.name}`);
    const trouble = chainTrouble(chain);
    if (trouble !== null) return fail(trouble);
    const found = entryAt(target.value, view);
    if (!found.ok) return found;
    seen = merged(seen, found.value);
  }
  return ok(seen);
}

/** An empty list says nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** The entry that is referred to by one of `namespace`, which is the same unless any may be. */
function targetOf(
  spec: Fields,
  namespace: string,
  anyNamespace: boolean,
): Result<Referred, ReferenceTrouble> {
  const own = VALUES.find((field) => isGiven(spec[field]));
  if (own !== undefined)
    return invalid(`an entry has a reference or ${own}, not both; remove one of them`, "spec");
  const reference = fieldsOf(spec["reference"]);
  const name = textOf(reference["name"]) ?? "";
  if (name === "") return invalid("the reference has no name; write that of a DNSEntry", "name");
  const other = textOf(reference["namespace"]) ?? namespace;
  if (anyNamespace || /* clause: reference-in-same-namespace */ other === namespace)
    return ok({ namespace: other, name });
  return invalid(
    `the reference is to namespace ${other}, and an entry may refer to its own (${namespace}) only, unless --disable-namespace-restriction is given`,
    "namespace",
  );
}

function chainTrouble(chain: readonly string[]): ReferenceTrouble | null {
  const last = chain.at(-1) ?? "";
  const path = chain.join(" → ");
  const isLoop = /* clause: reference-loop-is-a-mistake */ chain.indexOf(last) < chain.length - 1;
  if (!isLoop && /* clause: reference-chain-ends */ chain.length <= CHAIN_MAX) return null;
  const message = isLoop
    ? `references form a loop: ${path}; write targets in one of them`
    : `more than ${CHAIN_MAX} entries refer to each other: ${path}; refer to the last one`;
  return { code: "InvalidReference", message, field: "spec.reference" };
}

function entryAt(
  { namespace, name }: Referred,
  view: ClusterView,
): Result<Fields, ReferenceTrouble> {
  const found = view.get(DNS_ENTRY, namespace, name);
  if (found.state === "value") return ok(fieldsOf(found.value["spec"]));
  const message =
    found.state === "absent"
      ? `DNSEntry ${namespace}/${name} does not exist; create it, or write targets here`
      : `DNSEntry ${namespace}/${name} is not known: ${found.reason}`;
  return fail({ code: "ReferenceNotFound", message, field: "spec.reference" });
}

/** What the entry says itself comes first. */
function merged({ reference: _, ...own }: Fields, other: Fields): Fields {
  const given = INHERITED.flatMap((field) => {
    const isSet = isGiven(own[field]) || !isGiven(other[field]);
    return isSet ? [] : [[field, other[field]] as const];
  });
  const next = other["reference"] === undefined ? {} : { reference: other["reference"] };
  return { ...own, ...Object.fromEntries(given), ...next };
}

function invalid(message: string, field: string): { ok: false; error: ReferenceTrouble } {
  const path = field === "spec" ? "spec" : `spec.reference.${field}`;
  return fail({ code: "InvalidReference", message, field: path });
}
