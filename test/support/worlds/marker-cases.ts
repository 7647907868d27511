/**
 * The stories of proof 2, "Marker and data" (docs/safety.md#proof-2): names, records, wishes, and
 * what strangers do meanwhile.
 */
import type { Change } from "../../../src/plan/changes.ts";
import { parseZone } from "../values/zone-text.ts";

/** The names of proof 2. */
export const MARKED_NAMES = ["foo", "a-foo", "*", "@", "x".repeat(63)];
/** The record at the start. */
export const RECORDS = ["A 192.0.2.1", "AAAA 2001:db8::1", "CNAME lb.example.com", 'TXT "ours"'];
/** What is wanted; null = nothing. */
export const DESIRED = [
  null,
  "A 192.0.2.2",
  "AAAA 2001:db8::2",
  "CNAME new.example.com",
  'TXT "new"',
];
/** The owner at the start; null = none. */
export const OWNERS = ["me", "you", null];

/** The final marker of an owner. */
export const ownMarker = (owner: string) =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/web"`;
const label = (name: string, type: string) => {
  const head = name === "*" ? "_wildcard" : name;
  return `_owner.${type}${head === "@" ? "" : `.${head}`}`;
};
const isTypable = (name: string) => name !== "@" && name.length < 58;
/** Where markers of a name and lower-case type may stand, the one that is written first. */
export const locations = (name: string, type: string) => [
  ...(isTypable(name) ? [`${type}-${name}`] : []),
  label(name, type),
];

/** The zone's text at the beginning: a record, and its marker where it has an owner. */
export function startLines(name: string, start: string | null, owner: string | null): string {
  if (start === null) return "";
  const markerName = locations(name, start.split(" ")[0]?.toLowerCase() ?? "")[0] ?? "";
  const marked = owner === null ? "" : `\n${markerName} 300 TXT ${ownMarker(owner)}`;
  return `${name} 300 ${start}${marked}`;
}

/**
 * What somebody else does in between, at the name and at marker places of `types`; each as one
 * write to the zone.
 */
export function outsiders(
  name: string,
  start: string | null,
  owner: string | null,
  types: readonly string[] = ["a", "aaaa", "cname", "txt"],
): readonly Change[] {
  const create = (line: string): Change[] =>
    parseZone(line).map((next) => ({ op: "create", next }));
  const remove = (line: string): Change[] =>
    parseZone(line).map((previous) => ({ op: "remove", previous }));
  const requested = types.flatMap((type) => locations(name, type));
  const taken = requested.flatMap((location) => [
    ...create(`${location} 300 TXT ${ownMarker("you")}`),
    ...create(`${location} 300 TXT "hello"`),
    ...create(`${location} 300 CNAME away.example.com`),
  ]);
  const beside = [
    "A 203.0.113.9",
    "AAAA 2001:db8::9",
    "CNAME away.example.com",
    'TXT "theirs"',
    "MX 10 mx.example.com",
  ];
  const added = beside.flatMap((data) => create(`${name} 300 ${data}`));
  if (start === null) return [...added, ...taken];
  const markerName = locations(name, start.split(" ")[0]?.toLowerCase() ?? "")[0] ?? "";
  const gone = remove(`${name} 300 ${start}`);
  const unmarked = owner === null ? [] : remove(`${markerName} 300 TXT ${ownMarker(owner)}`);
  const rewritten = parseZone(`${markerName} 300 TXT ${ownMarker(owner ?? "me")}\n`).flatMap(
    (previous): Change[] =>
      parseZone(`${markerName} 300 TXT ${ownMarker("you")}`).map((next) => ({
        op: "replace",
        previous,
        next,
      })),
  );
  return [...added, ...taken, ...gone, ...unmarked, ...(owner === null ? [] : rewritten)];
}
