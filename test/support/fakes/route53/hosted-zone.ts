/**
 * One hosted zone of the fake: what ChangeResourceRecordSets accepts and how it refuses. Texts of
 * refusals are those of the API reference ("InvalidChangeBatch") and of answers quoted in issues of
 * external-dns and octoDNS.
 */
import type { ResourceRecordSet } from "@aws-sdk/client-route-53";

/** One element of a batch. */
export interface FakeChange {
  readonly action: string;
  readonly set: ResourceRecordSet;
}

/** ChangeResourceRecordSets, "Limits on change batch requests". */
const RECORDS_MAX = 1000;
const CHARACTERS_MAX = 32_000;

/** Names have a trailing dot, and escapes in octal. */
export class FakeHostedZone {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** In the order of the listing. */
  #sets: ResourceRecordSet[];

  constructor(id: string, name: string, isPrivate = false) {
    this.id = id;
    this.name = `${name}.`;
    this.isPrivate = isPrivate;
    const soa = "ns-1.awsdns-00.com. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400";
    const servers = ["ns-1.awsdns-00.com.", "ns-512.awsdns-00.net."];
    this.#sets = [
      {
        Name: this.name,
        Type: "NS",
        TTL: 172_800,
        ResourceRecords: servers.map((Value) => ({ Value })),
      },
      { Name: this.name, Type: "SOA", TTL: 900, ResourceRecords: [{ Value: soa }] },
    ];
  }

  get sets(): readonly ResourceRecordSet[] {
    return this.#sets;
  }

  /** All or nothing; the answer lists every refusal. */
  apply(changes: readonly FakeChange[]): readonly string[] {
    const tooLarge = sizeTrouble(changes);
    if (tooLarge !== null) return [tooLarge];
    const sets = new Map(this.#sets.map((set) => [keyOf(set), set]));
    const troubles: string[] = [];
    const deleted = new Set<string>();
    for (const { action, set: given } of changes) {
      const set = { ...shown(given), Name: nameOf(given.Name ?? "") };
      const trouble = this.#changeTrouble({ action, set }, sets, deleted);
      if (trouble !== null) troubles.push(trouble);
      else if (action === "DELETE") sets.delete(keyOf(set));
      else sets.set(keyOf(set), set);
    }
    const all = [...sets.values()];
    const atName = new Map<string, ResourceRecordSet[]>();
    for (const one of all) {
      const sameName = atName.get(one.Name ?? "");
      if (sameName === undefined) atName.set(one.Name ?? "", [one]);
      else sameName.push(one);
    }
    for (const { action, set } of changes) {
      const Name = nameOf(set.Name ?? "");
      if (action !== "DELETE" && troubles.length === 0)
        troubles.push(...this.#conflicts({ ...set, Name }, atName.get(Name) ?? []));
    }
    if (troubles.length === 0) this.#sets = all.sort(byName);
    return troubles;
  }

  #changeTrouble(
    { action, set }: FakeChange,
    sets: ReadonlyMap<string, ResourceRecordSet>,
    deleted: Set<string>,
  ): string | null {
    const key = keyOf(set);
    const present = sets.get(key);
    const text = subjectOf(set);
    if (action === "DELETE") {
      if (deleted.has(key)) return `Duplicate Resource Record: '${text}'`;
      deleted.add(key);
      if (present === undefined)
        return `Tried to delete resource record set ${text} but it was not found`;
      return isEqual(present, set)
        ? null
        : `Tried to delete resource record set ${text} but the values provided do not match the current values`;
    }
    if (present !== undefined && action === "CREATE")
      return `Tried to create resource record set ${text} but it already exists`;
    return this.#dataTrouble(set);
  }

  #dataTrouble(set: ResourceRecordSet): string | null {
    const name = set.Name ?? "";
    if (name !== this.name && !name.endsWith(`.${this.name}`))
      return `RRSet with DNS name ${name} is not permitted in zone ${this.name}`;
    if (set.Type === "CNAME" && name === this.name)
      return `RRSet of type CNAME with DNS name ${name} is not permitted at apex in zone ${this.name}`;
    const isMember = set.SetIdentifier !== undefined;
    if (isMember !== (kindOf(set) !== "plain"))
      return `Invalid request: Missing field '${isMember ? "Weight, Region, Failover, GeoLocation, MultiValueAnswer" : "SetIdentifier"}' in Change with ${subjectOf(set)}`;
    const values = (set.ResourceRecords ?? []).map(({ Value = "" }) => Value);
    if (new Set(values).size < values.length)
      return `Duplicate Resource Record: '${values.find((one, at) => values.indexOf(one) < at)}'`;
    for (const { Value = "" } of set.ResourceRecords ?? []) {
      const trouble = valueTrouble(set.Type ?? "", Value);
      if (trouble !== null)
        return `Invalid Resource Record: FATAL problem: ${trouble} encountered with '${Value}'`;
    }
    return null;
  }

  /** `sameName`: all at its name. */
  #conflicts(set: ResourceRecordSet, sameName: readonly ResourceRecordSet[]): readonly string[] {
    const others = sameName.filter((one) => keyOf(one) !== keyOf(set));
    const prefix = `RRSet of type ${set.Type} with DNS name ${set.Name}`;
    const conflict = others.find((one) =>
      one.Type === set.Type
        ? kindOf(one) !== kindOf(set)
        : set.Type === "CNAME" || one.Type === "CNAME",
    );
    if (conflict === undefined) return [];
    if (conflict.Type === set.Type)
      return [
        `${prefix} cannot be created as weighted sets must contain only one kind of routing policy`,
      ];
    return [
      `${prefix} is not permitted because a conflicting RRSet of type  ${conflict.Type} with the same DNS name already exists in zone ${this.name}`,
    ];
  }
}

function sizeTrouble(changes: readonly FakeChange[]): string | null {
  let records = 0;
  let characters = 0;
  for (const { action, set } of changes) {
    const times = action === "UPSERT" ? 2 : 1;
    const values = set.ResourceRecords ?? [];
    records += times * values.length;
    for (const { Value = "" } of values) characters += times * Value.length;
  }
  if (records > RECORDS_MAX) return `Number of records limit of ${RECORDS_MAX} exceeded.`;
  if (characters > CHARACTERS_MAX) return `RDATA character limit exceeded. ${CHARACTERS_MAX}`;
  return null;
}

function valueTrouble(type: string, value: string): string | null {
  if (type === "A" && !/^(\d{1,3}\.){3}\d{1,3}$/.test(value))
    return "ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)";
  if (type === "A" && value.split(".").some((part) => Number(part) > 255))
    return "ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)";
  if (type !== "TXT") return null;
  if (!/^"([^"\\]|\\.)*"( "([^"\\]|\\.)*")*$/.test(value))
    return "InvalidCharacterString (Value should be enclosed in quotation marks)";
  const strings = value.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const isLong = strings.some((one) => one.slice(1, -1).replace(/\\(\d{3}|.)/g, "x").length > 255);
  return isLong ? "CharacterStringTooLong (Value is too long)" : null;
}

/** Lower case, trailing dot, octal escapes. */
export function nameOf(text: string): string {
  const dotted = text.toLowerCase().endsWith(".") ? text.toLowerCase() : `${text.toLowerCase()}.`;
  return escaped(dotted);
}

/** Whatever is not a to z, 0 to 9, `-` or `_` ("DNS domain name format"), however it was sent. */
function escaped(name: string): string {
  return name.replace(/\\[0-7]{3}|[^\w.-]/g, (one) =>
    one.length > 1 ? one : `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

/** Names in values are shown with escapes, too. */
function shown({ ResourceRecords: records, ...set }: ResourceRecordSet): ResourceRecordSet {
  if (records === undefined) return set;
  const hasName = /^(CNAME|MX|NS|PTR|SRV)$/.test(set.Type ?? "");
  const shownValue = (text: string): string =>
    hasName ? text.split(" ").map(escaped).join(" ") : text;
  return {
    ...set,
    ResourceRecords: records.map(({ Value = "" }) => ({ Value: shownValue(Value) })),
  };
}

function keyOf({ Name, Type, SetIdentifier }: ResourceRecordSet): string {
  return `${Name} ${Type} ${SetIdentifier ?? ""}`;
}

function subjectOf({ Name, Type, SetIdentifier }: ResourceRecordSet): string {
  const member = SetIdentifier === undefined ? "" : `, set identifier='${SetIdentifier}'`;
  return `[name='${Name}', type='${Type}'${member}]`;
}

function kindOf(set: ResourceRecordSet): string {
  const kinds = [
    "Weight",
    "Region",
    "GeoLocation",
    "GeoProximityLocation",
    "Failover",
    "MultiValueAnswer",
    "CidrRoutingConfig",
  ] as const;
  return kinds.find((kind) => set[kind] !== undefined) ?? "plain";
}

function isEqual(one: ResourceRecordSet, other: ResourceRecordSet): boolean {
  return contentOf(one) === contentOf(other);
}

/** Everything but the order of values. */
function contentOf({ ResourceRecords = [], ...set }: ResourceRecordSet): string {
  const values = ResourceRecords.map(({ Value }) => Value).sort();
  return JSON.stringify([Object.entries(set).sort(), values]);
}

/** By labels from the right, as the listing sorts (ListResourceRecordSets, "Sort order"). */
function byName(one: ResourceRecordSet, other: ResourceRecordSet): number {
  const [a, b] = [sortKey(one), sortKey(other)];
  return a < b ? -1 : Number(a > b);
}

/** What the listing is sorted by, and where a page begins. */
export function sortKey({ Name = "", Type, SetIdentifier = "" }: ResourceRecordSet): string {
  const labels = Name.replace(/\.$/, "").split(".").reverse().join("\u0001");
  return `${labels}\u0000${Type ?? ""}\u0000${SetIdentifier}`;
}
