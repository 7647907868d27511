/**
 * `spec.reference`: an entry takes targets or texts from another entry, and what it does not say
 * itself of TTL, owner and look-ups (Gardener docs, DNSEntry "reference"). That one may refer to a
 * third.
 */
import { DNS_ENTRY } from "../../model/kinds.ts";
import { type Fields, fieldsOf, textOf } from "../../model/object-fields.ts";
import { fail, ok, type Result } from "../../model/result.ts";
import type { ClusterView } from "../../ports/cluster-view.ts";

/** Where a chain of references begins. */
export interface Referrer {
  readonly namespace: string;
  readonly name: string;
  readonly spec: Fields;
}

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

/** The spec with what its reference gives; one without a reference is answered as it is. */
export function withReference(
  { namespace, name, spec }: Referrer,
  view: ClusterView,
): Result<Fields, ReferenceTrouble> {
  const chain = [name];
  let seen = spec;
  while (Object.keys(fieldsOf(seen["reference"])).length > 0) {
    const target = targetOf(seen, namespace);
    if (!target.ok) return target;
    chain.push(target.value);
    const trouble = chainTrouble(chain);
    if (trouble !== null) return fail(trouble);
    const found = entryAt({ namespace, name: target.value }, view);
    if (!found.ok) return found;
    seen = merged(seen, found.value);
  }
  return ok(seen);
}

/** Object name of the entry that is referred to, which is of the same namespace. */
function targetOf(spec: Fields, namespace: string): Result<string, ReferenceTrouble> {
  const own = VALUES.find((field) => spec[field] !== undefined && spec[field] !== null);
  if (own !== undefined)
    return invalid(`an entry has a reference or ${own}, not both; remove one of them`, "spec");
  const reference = fieldsOf(spec["reference"]);
  const name = textOf(reference["name"]) ?? "";
  if (name === "") return invalid("the reference has no name; write that of a DNSEntry", "name");
  const other = textOf(reference["namespace"]) ?? namespace;
  if (other === namespace) return ok(name);
  return invalid(
    `the reference is to namespace ${other}, and an entry may refer to its own (${namespace}) only`,
    "namespace",
  );
}

function chainTrouble(chain: readonly string[]): ReferenceTrouble | null {
  const last = chain.at(-1) ?? "";
  const path = chain.join(" → ");
  const isLoop = chain.indexOf(last) < chain.length - 1;
  if (!isLoop && chain.length <= CHAIN_MAX) return null;
  const message = isLoop
    ? `references form a loop: ${path}; write targets in one of them`
    : `more than ${CHAIN_MAX} entries refer to each other: ${path}; refer to the last one`;
  return { code: "InvalidReference", message, field: "spec.reference" };
}

function entryAt(
  { namespace, name }: Omit<Referrer, "spec">,
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
    const has = own[field] !== undefined && own[field] !== null;
    return has || other[field] === undefined ? [] : [[field, other[field]] as const];
  });
  const next = other["reference"] === undefined ? {} : { reference: other["reference"] };
  return { ...own, ...Object.fromEntries(given), ...next };
}

function invalid(message: string, field: string): { ok: false; error: ReferenceTrouble } {
  const path = field === "spec" ? "spec" : `spec.reference.${field}`;
  return fail({ code: "InvalidReference", message, field: path });
}
