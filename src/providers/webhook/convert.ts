/**
 * Record sets to endpoints of external-dns and back (`endpoint/endpoint.go`: every field may be
 * absent). Pure; decides nothing.
 */
import { type DnsName, isAtOrBelow, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { withUnicodeLabels } from "@zonekeeper/dns/names/idna";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";
import { Re2 } from "@zonekeeper/kube/objects/re2";
import { hasSameData, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import { dottedRdata, nameFromUnicode, readRdata } from "../shared/dotted-rdata.ts";
import { incomplete } from "../shared/failed-calls.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { CAPABILITIES } from "./limits.ts";

/** Types whose targets have a dot at their end (external-dns leaves them as they are). */
const DOTTED: ReadonlySet<string> = new Set(["NAPTR", "SRV"]);

/** True for an endpoint that says of itself that it has no targets. */
export function isEmpty(value: unknown): boolean {
  return isFields(value) && listOf(value["targets"])?.length === 0;
}

/** Null = it is no endpoint with targets. `ttlSeconds`: where the endpoint has none. */
export function toRecordSet(value: unknown, ttlSeconds: number): RecordSet | null {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["dnsName"]), textOf(fields["recordType"])];
  const targets = textsOf(fields["targets"]) ?? [];
  if (name === null || type === null || targets.length === 0) return null;
  const kind = type.toUpperCase();
  // Some webhooks answer texts without quotes.
  const values = targets.map((target) =>
    readRdata(kind, kind === "TXT" && !target.startsWith('"') ? quoted(target) : target),
  );
  const set = plainSet({
    ...{ name: nameFromUnicode(name), type: kind, values },
    ttlSeconds: ttlOf(fields) ?? ttlSeconds,
  });
  const setIdentifier = textOf(fields["setIdentifier"]) || null;
  if (setIdentifier === null) return set;
  // Which policy it is a member of only the webhook knows.
  return { ...set, setIdentifier, routingPolicy: { type: "webhook", parameters: {} } };
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;

/** Seconds; null = the endpoint tells none. */
export function ttlOf(endpoint: Fields): number | null {
  return Number(endpoint["recordTTL"] ?? 0) || null;
}

/** True when writing one in place of the other changes nothing. */
export function isSameEndpoint(one: Fields, other: Fields): boolean {
  const [a, b] = [toRecordSet(one, 0), toRecordSet(other, 0)];
  if (a === null || b === null || !hasSameData(a, b) || a.ttlSeconds !== b.ttlSeconds) return false;
  return (
    recordSetKeyText(a) === recordSetKeyText(b) && propertiesText(one) === propertiesText(other)
  );
}

type Texts = Readonly<Record<string, string>>;

/** `providerSpecific` by name. */
function propertiesOf({ providerSpecific }: Fields): Texts {
  const list = (listOf(providerSpecific) ?? []).map(fieldsOf);
  return Object.fromEntries(list.map(({ name, value }) => [String(name), String(value ?? "")]));
}

/** Equal for equal properties. */
export function propertiesText(endpoint: Fields): string {
  return JSON.stringify(Object.entries(propertiesOf(endpoint)).sort());
}

/**
 * `before`: the endpoint as it was read, whose labels and properties stay, but for properties that
 * the record set has, or was asked to have when it was written last.
 */
export function fromRecordSet(set: RecordSet, before: Fields = {}, asked: Texts = {}): Fields {
  const { labels } = before;
  const kept = Object.entries(propertiesOf(before)).filter(([name]) => !Object.hasOwn(asked, name));
  const properties = Object.entries({ ...Object.fromEntries(kept), ...set.properties });
  return {
    dnsName: set.name,
    targets: set.values.map((value) =>
      DOTTED.has(set.type) ? dottedRdata(set.type, value) : value,
    ),
    recordType: set.type,
    recordTTL: set.ttlSeconds,
    // As external-dns always does: webhooks in Go write into that map.
    labels: fieldsOf(labels),
    ...(properties.length === 0
      ? {}
      : { providerSpecific: properties.map(([name, value]) => ({ name, value })) }),
  };
}

/** The body of a call that makes one change; `next` is the endpoint to write, null = none. */
export function changesBody(change: Change, next: Fields | null, before: Fields): Fields {
  const created = next === null ? [] : [next];
  if (change.op === "create") return { create: created };
  const { previous: read } = change;
  // As the webhook has it.
  const ttlSeconds = ttlOf(before) ?? read.ttlSeconds;
  const previous = [fromRecordSet({ ...read, ttlSeconds }, before)];
  if (change.op === "remove") return { delete: previous };
  return { updateOld: previous, updateNew: created };
}

/** What a webhook serves. */
export interface DomainFilter {
  /** Names that include zones; empty = it names none. */
  readonly include: readonly DnsName[];
  readonly has: (name: DnsName) => boolean;
}

/** See external-dns `endpoint/domain_filter.go`; throws where a part of it cannot be read. */
export function toFilter(filter: unknown): DomainFilter {
  const fields = fieldsOf(filter);
  // What is not understood is not as if there were no filter.
  if (filter !== null && !isFields(filter))
    throw incomplete("the webhook's domain filter is no object");
  const names = (key: string): readonly DnsName[] => {
    const texts = textsOf(fields[key] ?? []);
    if (texts === null)
      throw incomplete(`${key} of the webhook's domain filter is no list of names`);
    // Programs that split an empty variable have one empty name.
    return texts
      .filter((text) => text.trim() !== "")
      .map((text) => {
        const name = parseDnsName(nameFromUnicode(text.trim().replace(/^\.|\.$/g, "")));
        if (name.ok) return name.value;
        const what = `${key} of the webhook's domain filter has ${JSON.stringify(text)}`;
        throw incomplete(`${what}, which is no name: ${name.error}`);
      });
  };
  const include = names(fields["include"] === undefined ? "filters" : "include");
  const exclude = names("exclude");
  const [wanted, unwanted] = ["regexInclude", "regexExclude"].map((key) =>
    toExpression(key, textOf(fields[key])),
  );
  const isListed = (name: DnsName, domains: readonly DnsName[]): boolean =>
    domains.some((domain) => isAtOrBelow(name, domain));
  return {
    include,
    has: (name) => {
      const text = withUnicodeLabels(name);
      if (wanted || unwanted)
        // Null = the expression is too large for the name, which proves nothing.
        return (wanted?.test(text) ?? true) === true && (unwanted?.test(text) ?? false) === false;
      return (include.length === 0 || isListed(name, include)) && !isListed(name, exclude);
    },
  };
}

function toExpression(key: string, text: string | null): Re2 | null {
  try {
    return text ? new Re2(text) : null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw incomplete(`${key} of the webhook's domain filter is no regular expression: ${why}`);
  }
}

/** The set as it is expected to be read. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}
