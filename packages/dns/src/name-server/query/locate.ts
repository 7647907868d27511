/**
 * Finds what a zone has for a name: the node itself, a delegation or a DNAME above it, a wildcard,
 * or nothing (RFC 1034 §4.3.2 step 3, RFC 4592 §3.3.1, RFC 6672 §3.2). Pure; does not build
 * answers.
 */
import { type DnsName, parentOf, trustedDnsName } from "../../names/dns-name.ts";
import type { RecordType } from "../../rdata/record-type.ts";
import { findSet, type TypeSet, type ZoneVersion } from "../zone/zone-version.ts";

/** What a name of a zone is. */
export type Location =
  /** The name exists, or a wildcard matches it; `sets` may be empty (an empty non-terminal). */
  | { readonly is: "node"; readonly sets: readonly TypeSet[] }
  /** The name lies at or below a zone cut; `ns` is the NS set there. */
  | { readonly is: "delegation"; readonly cut: DnsName; readonly ns: TypeSet }
  /** The name lies below a DNAME, whatever else the zone holds there (RFC 6672 §2.3: occluded). */
  | { readonly is: "redirected"; readonly owner: DnsName; readonly dname: TypeSet }
  /** The name does not exist and no wildcard covers it. */
  | { readonly is: "nothing" };

/**
 * Walks from the apex down to `name`, which must be at or below the apex. `type` matters at a cut:
 * DS is the parent's.
 */
export function locate(zone: ZoneVersion, name: DnsName, type: RecordType): Location {
  let encloser = zone.apex;
  for (const ancestor of pathFrom(zone.apex, name)) {
    const node = zone.node(ancestor);
    if (node === undefined) return underEncloser(zone, encloser);
    const detour = leadsAway(zone, { ancestor, sets: node.sets }, { name, type });
    if (detour !== null) return detour;
    encloser = ancestor;
  }
  return { is: "node", sets: zone.node(name)?.sets ?? [] };
}

/**
 * A zone cut or a DNAME on the way; null = the way goes on. A cut comes first: what lies below is
 * not ours to redirect.
 */
function leadsAway(
  zone: ZoneVersion,
  { ancestor, sets }: { readonly ancestor: DnsName; readonly sets: readonly TypeSet[] },
  { name, type }: { readonly name: DnsName; readonly type: RecordType },
): Location | null {
  const ns = ancestor === zone.apex ? undefined : findSet(sets, "NS");
  // RFC 4035 §3.1.4.1: the DS of a child zone is answered by its parent.
  const parentAnswers = type === "DS" && ancestor === name;
  if (ns !== undefined && !parentAnswers) return { is: "delegation", cut: ancestor, ns };
  const dname = ancestor === name ? undefined : findSet(sets, "DNAME");
  return dname === undefined ? null : { is: "redirected", owner: ancestor, dname };
}

/**
 * A name that does not exist: the wildcard right below its closest encloser, and no other, may
 * stand for it.
 */
function underEncloser(zone: ZoneVersion, encloser: DnsName): Location {
  const node = zone.node(trustedDnsName(encloser === "" ? "*" : `*.${encloser}`));
  return node === undefined ? { is: "nothing" } : { is: "node", sets: node.sets };
}

/** The names from the apex down to `name`, both included. */
function pathFrom(apex: DnsName, name: DnsName): readonly DnsName[] {
  const path: DnsName[] = [];
  for (let at: DnsName | null = name; at !== null; at = parentOf(at)) {
    path.push(at);
    if (at === apex) break;
  }
  return path.reverse();
}
