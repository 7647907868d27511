/**
 * dns-sync's plain texts (costinm/dns-sync `pkg/dns-sync`, registry): no heritage and no prefix, so
 * that a client that looks up the texts of a name learns whose it is:
 * `m=mesh,mesh=<owner>,ns=<namespace>,resource=<kind/namespace/name>`. Mended here: the cluster is
 * written; `types` says which types are meant, so that A and AAAA share a text; where an alias or
 * somebody's text has the name, the marker goes to `_mesh.<name>`; it is read by the label that it
 * is written with.
 */
import {
  type DnsName,
  isAtOrBelow,
  NAME_BYTES_MAX,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { CHARACTER_STRING_BYTES_MAX } from "@zonekeeper/dns/rdata/txt";
import type { RecordSet } from "../../model/record-set.ts";
import type { NameMarker, NameMarkerFormat, TypeClaim } from "../shared/name-marker.ts";
import { misread } from "../shared/read-back.ts";

/** First label of a marker that cannot be at the name itself. */
const ASIDE = "_mesh.";
/** Stands for `*` in such a name, so that the marker is no wildcard itself. */
const WILDCARD = "_wildcard";
const TTL_SECONDS = 300;

/** The format in one zone. */
export function meshFormat(apex: DnsName): NameMarkerFormat {
  return {
    name: "mesh",
    ttlSeconds: TTL_SECONDS,
    // A text at `_mesh.a` always labels `a`, and one at `_mesh._wildcard` for `*`.
    markerNames: (name) => {
      const plain = name.startsWith("*.") ? `${WILDCARD}${name.slice(1)}` : name;
      return [name, trustedDnsName(`${ASIDE}${plain}`)].filter(
        (one) => one.length <= NAME_BYTES_MAX && labelledBy(one, apex) === name,
      );
    },
    otherMarkerNames: () => [],
    labelled: (markerName) => labelledBy(markerName, apex),
    alsoLabelled: () => [],
    learn: () => undefined,
    parse: (record) => parse(record, apex),
    format,
  };
}

function labelledBy(markerName: DnsName, apex: DnsName): DnsName | null {
  if (!markerName.startsWith(ASIDE)) return isAtOrBelow(markerName, apex) ? markerName : null;
  const rest = markerName.slice(ASIDE.length);
  const isWild = rest.startsWith(`${WILDCARD}.`);
  const name = trustedDnsName(isWild ? `*${rest.slice(WILDCARD.length)}` : rest);
  return isAtOrBelow(name, apex) ? name : null;
}

function parse(record: RecordSet, apex: DnsName): NameMarker | null {
  const name = labelledBy(record.name, apex);
  const claims: TypeClaim[] = [];
  const foreignValues: string[] = [];
  for (const value of record.values) {
    const found = claimsIn(value);
    if (found === null) foreignValues.push(value);
    else claims.push(...found);
  }
  return name === null || claims.length === 0
    ? null
    : { record, name, claims, keptValues: [], foreignValues };
}

/** Null = it is no marker: it names no mesh. A value may hold `=` (dns-sync drops such tokens). */
function claimsIn(value: string): readonly TypeClaim[] | null {
  const strings = value.match(/"(?:\\[\s\S]|[^"\\])*"/g) ?? [`"${value}"`];
  const text = strings.map((one) => one.slice(1, -1)).join("");
  const tokens = new Map<string, string>();
  for (const token of text.split(",")) {
    const at = token.indexOf("=");
    if (at <= 0) return null;
    tokens.set(token.slice(0, at), token.slice(at + 1));
  }
  const owner = tokens.get("mesh");
  if (owner === undefined) return null;
  const resource = tokens.get("resource") ?? null;
  const common = {
    owner,
    resource,
    shortResource: resource,
    cluster: tokens.get("cluster") ?? null,
  };
  const types = tokens.get("types")?.split(" ") ?? [null];
  return types.map((type) => ({ ...common, type }));
}

/** The values of a marker: one text for each object, with its types. */
function format(
  claims: readonly TypeClaim[],
): { readonly values: readonly string[] } | { readonly trouble: string } {
  const groups = new Map<string, { readonly first: TypeClaim; readonly types: string[] }>();
  for (const one of claims) {
    const text = JSON.stringify([one.owner, one.resource, one.cluster]);
    const group = groups.get(text) ?? { first: one, types: [] };
    if (one.type !== null) group.types.push(one.type);
    groups.set(text, group);
  }
  const texts = [...groups.values()].map(({ first, types }) => {
    const long = markerText(first, first.resource, types.sort());
    return long.length <= CHARACTER_STRING_BYTES_MAX
      ? long
      : markerText(first, first.shortResource, types);
  });
  const values = texts.map((text) => `"${text}"`);
  const read = values.flatMap((value) => claimsIn(value) ?? []);
  const trouble = misread({ format: "mesh", meant: claims, read, texts });
  return trouble === null ? { values } : { trouble };
}

/** Sorted by key and joined by commas, as dns-sync has it. */
function markerText(
  { owner, cluster }: TypeClaim,
  resource: string | null,
  types: readonly string[],
): string {
  const namespace = resource?.split("/")[1] ?? null;
  return [
    ...(cluster === null ? [] : [`cluster=${cluster}`]),
    "m=mesh",
    `mesh=${owner}`,
    ...(namespace === null ? [] : [`ns=${namespace}`]),
    ...(resource === null ? [] : [`resource=${resource}`]),
    ...(types.length === 0 ? [] : [`types=${types.join(" ")}`]),
  ].join(",");
}
