/**
 * Gardener's metadata records (gardener/external-dns-management `pkg/dns/records.go`,
 * `pkg/dns/mapping.go`, v0.1 to v0.22): a TXT record set beside each name with the texts
 * `owner=<id>` and `prefix=comment-`. To these two, which are theirs byte for byte, we add
 * `resource-<TYPE>=<object>`, for theirs say neither types nor objects; they skip what they do not
 * know.
 */
import {
  type DnsName,
  isAtOrBelow,
  LABEL_BYTES_MAX,
  labelsOf,
  NAME_BYTES_MAX,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { CHARACTER_STRING_BYTES_MAX } from "@zonekeeper/dns/rdata/txt";
import type { RecordSet } from "../../model/record-set.ts";
import type { NameMarker, NameMarkerFormat, TypeClaim } from "../shared/name-marker.ts";
import { misread } from "../shared/read-back.ts";

/** The prefix of marker names that Gardener has by default, and that we write. */
const PREFIX = "comment-";
/**
 * Other prefixes, at most, that are learned from the records of a zone; markers under further
 * prefixes are only found when the whole zone is read.
 */
const LEARNED_MAX = 8;
/**
 * After the prefix, in place of a name: the apex (since v0.7.11 under a wildcard, since v0.16 by
 * itself).
 */
const BASE = "-base.";
/** In place of the label `@`, the apex on Azure. */
const AT = "---at.";
const RESOURCE = "resource-";
/** Attributes of theirs that are kept as they are: `cnames` of v0.1 to v0.13, `kind` of locks. */
const KEPT: ReadonlySet<string> = new Set(["cnames", "kind"]);
/** Seconds, always. */
const TTL_SECONDS = 600;

/** The format in one zone. Remembers which prefixes were seen there. */
export function gardenerFormat(apex: DnsName): NameMarkerFormat {
  const usual: Spelling = { apex, prefix: PREFIX };
  const learned = new Map<string, Spelling>();
  const alsoLabelled = (markerName: DnsName): readonly DnsName[] => {
    if (learned.size === 0) return [];
    return [...learned.values()].flatMap((one) => labelledBy(markerName, one) ?? []);
  };
  return {
    name: "gardener",
    ttlSeconds: TTL_SECONDS,
    // No marker for a name that begins so that its marker would be read as the apex's or `@`'s.
    markerNames: (name) => currentNames(name, usual),
    otherMarkerNames: (name) => [
      ...formerNames(name, usual),
      ...[...learned.values()].flatMap((one) => [
        ...currentNames(name, one),
        ...formerNames(name, one),
      ]),
    ],
    labelled: (markerName) => labelledBy(markerName, usual),
    alsoLabelled,
    learn: (record) => {
      const prefix = parse(record, apex)?.spelling?.toLowerCase() ?? PREFIX;
      if (prefix !== PREFIX && learned.size < LEARNED_MAX) learned.set(prefix, { apex, prefix });
    },
    parse: (record) => parse(record, apex),
    format,
  };
}

/** How names of markers are made. */
interface Spelling {
  readonly apex: DnsName;
  /** In lower case, never empty. */
  readonly prefix: string;
}

function markerNameOf(name: DnsName, { apex, prefix }: Spelling): string {
  const [first = "", ...rest] = labelsOf(name);
  if (name === apex) return `${prefix}${BASE}${name}`;
  if (first === "@") return `${prefix}${AT}${rest.join(".")}`;
  if (first !== "*") return `${prefix}${name}`;
  const below = rest.join(".");
  return below === apex ? `*.${prefix}${BASE}${below}` : `*.${prefix}${below}`;
}

function currentNames(name: DnsName, spelling: Spelling): readonly DnsName[] {
  const names = validNames([markerNameOf(name, spelling)]);
  return names.filter((one) => nameRead(one, spelling) === name);
}

/** The marker name of `*.zone` before v0.7.11. */
function formerNames(name: DnsName, { apex, prefix }: Spelling): readonly DnsName[] {
  return validNames(name === `*.${apex}` ? [`*.${prefix}.${apex}`] : []);
}

/** The name that a marker name is for; null = none, or no program writes such a marker name. */
function labelledBy(markerName: DnsName, spelling: Spelling): DnsName | null {
  const name = nameRead(markerName, spelling);
  if (name === null) return null;
  const isOld = () => formerNames(name, spelling).includes(markerName);
  return markerNameOf(name, spelling) === markerName || isOld() ? name : null;
}

function nameRead(markerName: DnsName, { apex, prefix }: Spelling): DnsName | null {
  const star = markerName.startsWith("*.") ? "*." : "";
  const plain = markerName.slice(star.length);
  if (!plain.startsWith(prefix)) return null;
  const rest = plain.slice(prefix.length);
  const name = trustedDnsName(star + withoutApexMark(rest));
  return isAtOrBelow(name, apex) ? name : null;
}

function withoutApexMark(rest: string): string {
  if (rest.startsWith(BASE)) return rest.slice(BASE.length);
  if (rest.startsWith(AT)) return `@.${rest.slice(AT.length)}`;
  return rest.startsWith(".") ? rest.slice(1) : rest;
}

/**
 * The marker in a TXT record set; null = it is none. As in Gardener, the text names the prefix,
 * with which the record's name has to begin.
 */
function parse(record: RecordSet, apex: DnsName): NameMarker | null {
  for (const { key, text: prefix } of record.values.map(attributeIn)) {
    if (key !== "prefix" || prefix === "") continue;
    const name = labelledBy(record.name, { apex, prefix: prefix.toLowerCase() });
    if (name === null) continue;
    return { record, name, ...contentOf(record.values), spelling: prefix };
  }
  return null;
}

/** What the values of a marker say. */
function contentOf(
  values: readonly string[],
): Pick<NameMarker, "claims" | "keptValues" | "foreignValues"> {
  const texts = values.map((value) => ({ value, ...attributeIn(value) }));
  const of = (key: string) => texts.find((one) => one.key === key)?.text ?? null;
  // A lock belongs to no entry: it reserves its name, and is never ours.
  const owner = of("kind") === null ? (of("owner") ?? "") : "";
  const own = texts.filter(({ key }) => key === "owner" || key === "prefix");
  const typed = texts.filter(({ key }) => key.startsWith(RESOURCE));
  const kept = texts.filter(({ key }) => KEPT.has(key));
  const known = [...own, ...typed, ...kept];
  const claims = typed.map(({ key, text }): TypeClaim => {
    const resource = text === "" ? null : text;
    const type = key.slice(RESOURCE.length).toUpperCase();
    return { type, owner, resource, shortResource: resource, cluster: null };
  });
  const untyped = { type: null, owner, resource: null, shortResource: null, cluster: null };
  return {
    claims: claims.length > 0 ? claims : [untyped],
    keptValues: kept.map(({ value }) => value),
    foreignValues: texts.filter((one) => !known.includes(one)).map(({ value }) => value),
  };
}

/** One text; Azure has it without quotes. */
function attributeIn(value: string): { readonly key: string; readonly text: string } {
  const text = value.replace(/^"([\s\S]*)"$/, "$1").replace(/\\(.)/g, "$1");
  const at = text.indexOf("=");
  return { key: text.slice(0, Math.max(at, 0)), text: text.slice(at + 1) };
}

function format(
  claims: readonly TypeClaim[],
  keptValues: readonly string[],
  spelling: string = PREFIX,
): { readonly values: readonly string[] } | { readonly trouble: string } {
  const owners = [...new Set(claims.map(({ owner }) => owner))];
  const [owner = ""] = owners;
  if (owners.length > 1)
    return {
      trouble: `one marker labels the whole name, and ${owners.join(" and ")} claim records of it: use one owner id, or the registry txt`,
    };
  const resources = claims.flatMap(({ type, resource, shortResource }) => {
    if (type === null) return [];
    const long = `${RESOURCE}${type}=${resource ?? ""}`;
    return [
      long.length <= CHARACTER_STRING_BYTES_MAX
        ? long
        : `${RESOURCE}${type}=${shortResource ?? ""}`,
    ];
  });
  const texts = [`owner=${owner}`, `prefix=${spelling}`, ...resources];
  const values = [...texts.map((text) => `"${text}"`), ...keptValues];
  const meant = claims.map(asGardenerWrites);
  const trouble = misread({ format: "gardener", meant, read: contentOf(values).claims, texts });
  return trouble === null ? { values } : { trouble };
}

/** The claim as this format can carry it: no cluster, and no object where no type is named. */
function asGardenerWrites(one: TypeClaim): TypeClaim {
  const object = one.type === null ? { resource: null, shortResource: null } : {};
  return { ...one, ...object, cluster: null };
}

/** The texts that are valid names; a long label may leave no room for the prefix. */
function validNames(texts: readonly string[]): readonly DnsName[] {
  return texts
    .map(trustedDnsName)
    .filter((name) => name.length <= NAME_BYTES_MAX)
    .filter((name) => labelsOf(name).every((label) => label.length <= LABEL_BYTES_MAX));
}
