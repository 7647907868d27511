/**
 * Asks two questions about the records of a zone, from the names that DNSEntries want: are wanted
 * records those of another owner id (is `--owner` another one than before)? Are records of ours for
 * objects of a cluster that is not served? `run` changes neither. It writes nothing.
 */
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import { type DnsClasses, isOfClass } from "../../../model/dns-class.ts";
import { annotatedOwners } from "../../../model/generated-entries.ts";
import { DNS_ENTRY } from "../../../model/kinds.ts";
import type { OwnedRecordSet } from "../../../plan/changes.ts";
import { holdReason } from "../../../plan/hold-reasons.ts";

/** The wishes of the DNSEntries of a class in one cluster. */
export interface WantedNames {
  readonly names: ReadonlySet<string>;
  readonly clusterId: string;
  /**
   * Source objects of generated entries (`markedObject`): such an object need not be read itself,
   * since its entry is.
   */
  readonly originals: ReadonlySet<string>;
}

/** Where DNSEntries are. */
export interface WantedNamesInput {
  readonly writer: ObjectReader;
  /** Id of the cluster; null = it is asked for. */
  readonly id: string | null;
  /** Null = all namespaces. */
  readonly namespace: string | null;
  readonly dnsClasses: DnsClasses;
}

/** Throws OperationError; `NotFound` where DNSEntries are not defined. */
export async function readWantedNames(input: WantedNamesInput): Promise<WantedNames> {
  const { writer, id, namespace, dnsClasses } = input;
  const clusterId = id ?? (await readClusterId(writer));
  const all = await writer.readAll(DNS_ENTRY, namespace ?? undefined);
  const entries = all.filter((one) => isOfClass(one, dnsClasses));
  const names = entries
    .map((one) => parseDnsName(textOf(fieldsOf(one.spec)["dnsName"]) ?? ""))
    .flatMap((name) => (name.ok ? [name.value] : []));
  const originals = entries
    .flatMap(annotatedOwners)
    .map((one) =>
      markedObject(one.cluster ?? clusterId, `${one.kind}/${one.namespace}/${one.name}`),
    );
  return { names: new Set(names), clusterId, originals: new Set(originals) };
}

/** `c1|service/default/web`. */
function markedObject(cluster: string, resource: string): string {
  return `${cluster}|${resource.toLowerCase()}`;
}

/** Everything that records are compared with. */
interface ClusterQuestionInput {
  readonly wanted: WantedNames;
  readonly owner: string;
  /** Ids of the clusters of sources and DNSEntries. */
  readonly clusters: ReadonlySet<string>;
}

/**
 * The question whether the owner id is right: wanted records of this cluster's objects have markers
 * of one other owner. Null = none has, or they have several owners.
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

/**
 * The question about records of ours for objects of a cluster that is not served and for which no
 * DNSEntry exists (Z-30). Null = there are none. `plan` holds each of them as `ClusterUnknown`.
 */
export function clusterQuestion(
  sets: readonly OwnedRecordSet[],
  { wanted, owner, clusters }: ClusterQuestionInput,
): string | null {
  const unknown = sets.flatMap(({ marker }) => {
    if (marker === null || marker.owner !== owner || marker.cluster === null) return [];
    const { cluster, resource } = marker;
    const isKnown =
      clusters.has(cluster) || wanted.originals.has(markedObject(cluster, resource ?? ""));
    return isKnown ? [] : [cluster];
  });
  if (unknown.length === 0) return null;
  const names = [...new Set(unknown)].sort().join(", ");
  const remedy = (holdReason("ClusterUnknown")?.remedy ?? "").replaceAll("OWNER", owner);
  return `${unknown.length} of ours are for objects of the cluster ${names}, which is not served here (ClusterUnknown): nothing proves that these are gone, so they stay. ${remedy}`;
}
