/**
 * The messages that an external-dns sends to a webhook (external-dns `provider/webhook/api`,
 * `plan/plan.go`), checked. An endpoint is kept as it was sent, so that it is read back as it was.
 * Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type Fields,
  fieldsOf,
  isFields,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";

/** An endpoint of an external-dns. */
export interface SentEndpoint {
  readonly name: DnsName;
  /** Type and set identifier. */
  readonly key: string;
  /** As an item of `spec.endpoints` of a DNSEndpoint has it. */
  readonly item: Fields;
}

/** The wanted change of one name. */
export interface NameChange {
  readonly name: DnsName;
  /** Keys of endpoints. */
  readonly removed: ReadonlySet<string>;
  readonly written: readonly SentEndpoint[];
}

const LISTS = ["create", "updateOld", "updateNew", "delete"] as const;

/** Releases before 0.17 sent names of fields with capitals; Go reads both. */
function withSmallFirst(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
      value,
    ]),
  );
}

/** The changes, one for each name. Fails as a whole: the sender would take a part for all. */
export function readChanges(body: unknown): Result<readonly NameChange[]> {
  if (!isFields(body)) return fail("the body is no JSON object with create, updateNew or delete");
  const lists = withSmallFirst(body);
  const read = new Map<string, readonly SentEndpoint[]>();
  for (const field of LISTS) {
    const endpoints = readEndpoints(lists[field] ?? [], field);
    if (!endpoints.ok) return endpoints;
    read.set(field, endpoints.value);
  }
  const of = (field: (typeof LISTS)[number]): readonly SentEndpoint[] => read.get(field) ?? [];
  const removed = [...of("updateOld"), ...of("delete")];
  const written = [...of("updateNew"), ...of("create")];
  const names = new Set([...removed, ...written].map(({ name }) => name));
  return ok(
    [...names].map((name) => ({
      name,
      removed: new Set(removed.filter((one) => one.name === name).map(({ key }) => key)),
      written: written.filter((one) => one.name === name),
    })),
  );
}

/**
 * The list of `field`, whose name is for messages. Ownership records of external-dns's own registry
 * are left out: the owner is in the labels of each endpoint, which are kept, and markers are ours
 * to write.
 */
export function readEndpoints(value: unknown, field: string): Result<readonly SentEndpoint[]> {
  if (!Array.isArray(value)) return fail(`${field} is no list`);
  const endpoints: SentEndpoint[] = [];
  for (const [index, one] of value.entries()) {
    if (isOwnershipRecord(withSmallFirst(fieldsOf(one)))) continue;
    const endpoint = readEndpoint(one);
    if (!endpoint.ok) return fail(`${field}[${index}]: ${endpoint.error}`);
    endpoints.push(endpoint.value);
  }
  return ok(endpoints);
}

function readEndpoint(value: unknown): Result<SentEndpoint> {
  const item = withSmallFirst(fieldsOf(value));
  const name = parseDnsName(textOf(item["dnsName"]) ?? "");
  if (!name.ok) return fail(`dnsName: ${name.error}`);
  const type = textOf(item["recordType"]) ?? "";
  if (type === "") return fail("recordType is missing");
  const targets = item["targets"];
  if (!Array.isArray(targets) || targets.some((target) => typeof target !== "string"))
    return fail("targets is no list of texts");
  return ok({ name: name.value, key: endpointKey(item), item });
}

/** external-dns `endpoint/labels.go`; nothing else is in such a record. */
function isOwnershipRecord({ recordType, targets }: Fields): boolean {
  if (recordType !== "TXT") return false;
  const texts = textsOf(targets) ?? [];
  return texts.length > 0 && texts.every((text) => /^"?heritage=external-dns,/.test(text));
}

/** Type and set identifier of an item of `spec.endpoints`. */
export function endpointKey(item: Fields): string {
  return `${textOf(item["recordType"]) ?? ""}/${textOf(item["setIdentifier"]) ?? ""}`;
}
