/**
 * Finds what objects of further clusters that are only observed (`--cluster` in mode observe) would
 * have published: for people, before such a cluster becomes active. Nothing of it reaches the
 * engine.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { applicantOf } from "../../controllers/zone-choice/applicant.ts";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { splitByZone } from "../../source-controllers/zones/split-by-zone.ts";
import type { Source } from "../../sources/source.ts";
import type { OwnershipControl } from "../../sync/contract/publish-engine.ts";
import type { ClusterAccess } from "./controllers-options.ts";

/** A record set, or a name without a zone. */
export interface ObservedName {
  readonly cluster: string;
  /** `kind/namespace/name`. */
  readonly object: string;
  readonly name: DnsName;
  readonly type: string;
  readonly values: readonly string[];
  /** A phrase: "would be created", or why it would wait. */
  readonly would: string;
}

interface ObservedOptions {
  readonly marks: { readonly realms: string | null };
  readonly directory: Pick<ProviderDirectory, "select">;
  readonly engine: Pick<OwnershipControl, "ownership">;
}

/** The most rows; of more, the first ones. */
const NAMES_MAX = 1_000;

interface Wanted {
  readonly cluster: string;
  readonly object: string;
  readonly item: DesiredRecordSet;
  /** Why no zone serves the name; null = one does. */
  readonly unserved: string | null;
}

/** By cluster and source, in no special order of objects. */
export async function observedNames(
  watched: readonly (readonly [ClusterAccess, Source])[],
  options: ObservedOptions,
): Promise<readonly ObservedName[]> {
  const wanted = watched
    .flatMap(([cluster, source]) => wantedOf(cluster, source, options))
    .slice(0, NAMES_MAX);
  if (wanted.length === 0) return [];
  const names = new Set(wanted.map(({ item }) => item.name));
  const rows = (await options.engine.ownership(names)).flatMap((zone) => zone.rows);
  return wanted.map(({ cluster, object, item, unserved }) => {
    const { name, type, values } = item;
    const at = rows.filter((row) => row.name === name);
    const same = at.find((row) => row.type === type);
    const holder = same ?? at.find(({ values: data }) => data !== null);
    const would = unserved ?? wouldOf(holder);
    return { cluster, object, name, type, values, would };
  });
}

function wouldOf(
  holder: { readonly whose: string; readonly resource: string | null } | undefined,
): string {
  if (holder === undefined) return "would be created";
  return holder.whose === "ours"
    ? `would wait: the name has a record of ${holder.resource ?? "an object that its marker does not name"}`
    : "would wait: the name has a record that is not ours";
}

function wantedOf(
  { view }: ClusterAccess,
  source: Source,
  { marks, directory }: ObservedOptions,
): readonly Wanted[] {
  const objects = view.list(source.primary);
  const { clusterId: cluster } = view;
  return (objects.state === "value" ? objects.value : []).flatMap((object) => {
    const realms = source.publishesEither === true ? marks.realms : null;
    const applicant = { ...applicantOf(object, realms), cluster };
    const found = source.endpoints(object, view);
    const { unserved } = splitByZone(
      found,
      (name) => directory.select({ name, applicant, present: null, presentZone: null }),
      cluster,
    );
    return found.items.map((item) => ({
      ...{ cluster, object: resourceOf(objectKeyOf(object, cluster)), item },
      unserved: unserved.find((text) => text.startsWith(`${item.name}: `)) ?? null,
    }));
  });
}
