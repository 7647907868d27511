/**
 * Which names DNSEntries want, and whether their records in a zone belong to another owner id: then
 * `--owner` is probably another one than before. It writes nothing.
 */
import { readClusterId } from "../../cluster/access/cluster-id.ts";
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { parseDnsName } from "../../model/dns-name.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { fieldsOf, textOf } from "../../model/object-fields.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ObjectReader } from "../../ports/cluster-writer.ts";

/** The names that the DNSEntries of a class in one cluster want. */
export interface WantedNames {
  readonly names: ReadonlySet<string>;
  readonly clusterId: string;
}

/** Where DNSEntries are. */
export interface WantedNamesInput {
  readonly writer: ObjectReader;
  /** Null = it is read. */
  readonly id: string | null;
  /** Null = all namespaces. */
  readonly namespace: string | null;
  readonly dnsClasses: DnsClasses;
}

/** Throws OperationError; `NotFound` where DNSEntries are not defined. */
export async function readWantedNames(input: WantedNamesInput): Promise<WantedNames> {
  const { writer, id, namespace, dnsClasses } = input;
  const clusterId = id ?? (await readClusterId(writer));
  const entries = await writer.readAll(DNS_ENTRY, namespace ?? undefined);
  const names = entries
    .filter((one) => isOfClass(one, dnsClasses))
    .map((one) => parseDnsName(textOf(fieldsOf(one.spec)["dnsName"]) ?? ""))
    .flatMap((name) => (name.ok ? [name.value] : []));
  return { names: new Set(names), clusterId };
}

/**
 * Null = no record that a DNSEntry of the cluster wants belongs to another owner by a marker for an
 * object of this cluster, or they are of several owners.
 */
export function ownerQuestion(
  sets: readonly OwnedRecordSet[],
  { wanted, owner }: { readonly wanted: WantedNames; readonly owner: string },
): string | null {
  const foreign = sets.filter(
    ({ name, marker }) =>
      marker !== null &&
      ![owner, ""].includes(marker.owner) &&
      marker.cluster === wanted.clusterId &&
      wanted.names.has(name),
  );
  const [other, ...more] = new Set(foreign.map(({ marker }) => marker?.owner ?? ""));
  if (other === undefined || more.length > 0) return null;
  return `${foreign.length} that DNSEntries want belong to "${other}": is --owner ${owner} right? If it is: zonekeeper transfer --from ${other} --to ${owner} --force`;
}
