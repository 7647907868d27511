/**
 * DNS cases as zone text (docs/style.md rule 21): one value a line, `www 300 A 192.0.2.1 ; owner=me
 * resource=service/default/web`. For tests only; strict, so that a typing mistake fails the test.
 * Names without trailing dot are below the origin, `@` is the apex. The value `-` means: only the
 * marker exists. The TTL `-` means: none is asked for.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { type Provenance, readObjectKey } from "../../../src/model/provenance.ts";
import {
  compareKeys,
  type DesiredRecordSet,
  type RecordSet,
  recordSetKeyText,
} from "../../../src/model/record-set.ts";
import type { Marker, OwnedRecordSet } from "../../../src/plan/changes.ts";

/** Apex of the zone that cases are written in. */
export const ORIGIN = trustedDnsName("example.org");

/**
 * Words after ` ; ` by name: `owner`, `resource`, `cluster`, `from`, `created`, `id` (set
 * identifier), `policy`, `contested`.
 */
type Notes = Readonly<Record<string, string>>;

/** One line of zone text. */
interface Line {
  readonly name: DnsName;
  readonly ttlSeconds: number | null;
  readonly type: string;
  readonly value: string;
  readonly notes: Notes;
}

/**
 * `www` → `www.example.org`, `@` → the apex, `host.example.com.` stays as it is without its dot.
 */
export function nameOf(text: string): DnsName {
  if (text === "@") return ORIGIN;
  return trustedDnsName(text.endsWith(".") ? text.slice(0, -1) : `${text}.${ORIGIN}`);
}

/** The reverse of `nameOf`. */
export function shortName(name: string): string {
  if (name === ORIGIN) return "@";
  return name.endsWith(`.${ORIGIN}`) ? name.slice(0, -ORIGIN.length - 1) : `${name}.`;
}

/** Plain record sets, sorted by key. */
export function parseZone(text: string): readonly RecordSet[] {
  return grouped(text).map(([line, values]) => recordSet(line, values));
}

/**
 * Record sets as ownership has read them. A line without notes is foreign; `contested` = the owner
 * `you` claims it too.
 */
export function parseOwned(text: string): readonly OwnedRecordSet[] {
  return grouped(text).map(([line, values]) => {
    const set = recordSet(line, values);
    const { name, type, setIdentifier } = set;
    const contested = line.notes["contested"] !== undefined;
    const data = values[0] === "-" ? null : set;
    const owned = { name, type, setIdentifier, data, marker: marker(line.notes), contested };
    const { owner } = line.notes;
    return contested && owner !== undefined ? { ...owned, owners: [owner, "you"] } : owned;
  });
}

/**
 * What objects want. `; from=service/default/web` defaults to `service/default/web`, `cluster=` to
 * `c1`.
 */
export function parseDesired(text: string): readonly DesiredRecordSet[] {
  return grouped(text).map(([line, values]) => {
    const { ttlSeconds: _, ...set } = recordSet(line, values);
    const owner = line.notes["owner"] ?? null;
    const createdAtMs = Number(line.notes["created"] ?? "0");
    return {
      ...set,
      ttlSeconds: line.ttlSeconds,
      provenance: provenance(line.notes),
      owner,
      createdAtMs,
    };
  });
}

/** Record sets as zone text, one line a value, sorted. */
export function showZone(sets: readonly RecordSet[]): string {
  return [...sets]
    .sort(compareKeys)
    .flatMap((set) =>
      set.values.map((value) => `${shortName(set.name)} ${set.ttlSeconds} ${set.type} ${value}`),
    )
    .join("\n");
}

function provenance(notes: Notes): Provenance {
  const key = readObjectKey(notes["from"] ?? "service/default/web", notes["cluster"] ?? "c1");
  if (key === null) throw new Error(`from=${notes["from"]} is not kind/namespace/name`);
  return key;
}

function marker(notes: Notes): Marker | null {
  const owner = notes["owner"];
  if (owner === undefined) return null;
  const resource = notes["resource"] ?? "service/default/web";
  const cluster = notes["cluster"] ?? null;
  return { owner, resource, cluster, labels: { owner, resource }, record: null };
}

function recordSet(line: Line, values: readonly string[]): RecordSet {
  const policy = line.notes["policy"];
  return {
    name: line.name,
    type: line.type,
    setIdentifier: line.notes["id"] ?? null,
    ttlSeconds: line.ttlSeconds ?? 300,
    values: canonicalValues(values),
    properties: {},
    routingPolicy: policy === undefined ? null : { type: policy, parameters: {} },
  };
}

/**
 * Lines of one key (and of one object) make one set; its TTL and notes are those of the first line.
 */
function grouped(text: string): readonly (readonly [Line, readonly string[]])[] {
  const groups = new Map<string, [Line, string[]]>();
  for (const line of text
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map(parseLine)) {
    const key = { name: line.name, type: line.type, setIdentifier: line.notes["id"] ?? null };
    const id = [recordSetKeyText(key), line.notes["from"], line.notes["cluster"]].join("|");
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [line, [line.value]]);
    else group[1].push(line.value);
  }
  return [...groups.values()].sort(([a], [b]) =>
    compareKeys({ ...a, setIdentifier: null }, { ...b, setIdentifier: null }),
  );
}

function parseLine(text: string): Line {
  const match =
    /^(\S+)\s+(\d+|-)\s+([A-Z0-9]+)\s+((?:"(?:\\.|[^"\\])*"|[^;"])+?)\s*(?:;\s*(.*))?$/.exec(text);
  if (match === null) throw new Error(`not a line of zone text: ${text}`);
  const [, name = "", ttl = "", type = "", value = "", notes = ""] = match;
  return {
    name: nameOf(name),
    ttlSeconds: ttl === "-" ? null : Number(ttl),
    type,
    value: value.trim(),
    notes: Object.fromEntries(
      notes
        .split(/\s+/)
        .filter((token) => token !== "")
        .map((token) => [token.split("=")[0] ?? "", token.slice(token.indexOf("=") + 1)]),
    ),
  };
}
