/**
 * Readers of markers (records that state an owner) in every known format, as far as that needs no
 * configuration: the registry of a zone respects markers of formats that it does not write (ADR
 * 0020). A marker labels the record sets that it is for. Reading only.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import type { Marked } from "../plan/rights.ts";
import { gardenerFormat } from "./gardener/format.ts";
import { meshFormat } from "./mesh/format.ts";
import { fold as foldNames, type NameMarkerFormat } from "./shared/name-marker.ts";
import { fold as foldTyped, toOwned } from "./txt/fold-markers.ts";
import { candidatesAt, templatesRead } from "./txt/marker-candidates.ts";
import { MarkerCodec } from "./txt/marker-codec.ts";
import { stringsOf } from "./txt/marker-value.ts";
import { LABEL, markerNames, TYPED } from "./txt/name-template.ts";

/** One format in a zone whose registry is another one. */
export interface OtherFormat {
  /** As `--registry` has it. */
  readonly name: string;
  /**
   * Owner ids in the markers of this TXT record set; an empty text for a marker without owner, an
   * empty list where there is no marker.
   */
  ownersIn(record: RecordSet): readonly string[];
  /** Names that the markers in this TXT record set label; empty = it has none. */
  namesIn(record: RecordSet): readonly DnsName[];
  /** Learns which further marker names are in use. */
  learn(record: RecordSet): void;
  /** The record sets that markers of this format label, with their owners. */
  read(sets: readonly RecordSet[]): readonly Marked[];
  /** Names that a marker at this name may label. */
  labelled(markerName: DnsName): readonly DnsName[];
  /** Names that a marker of `name` may have. */
  markerNames(name: DnsName): readonly DnsName[];
  /**
   * True when the TXT record set, or one character-string of it, has the form of a marker here or
   * where it may be moved.
   */
  hasMarkerForm(record: RecordSet): boolean;
}

const ownsNothing = (): boolean => false;
const isMarked = (view: OwnedRecordSet): view is Marked => view.marker !== null;

/** Every format that keeps something in zones. */
export function knownFormats(apex: DnsName): readonly OtherFormat[] {
  return [
    txtReader(apex),
    nameReader(gardenerFormat(apex), { apex, sign: "prefix=" }),
    nameReader(meshFormat(apex), { apex, sign: "mesh=" }),
  ];
}

/** The TXT registry's format: external-dns's default names and our `_owner` names, plain text. */
function txtReader(apex: DnsName): OtherFormat {
  const codec = new MarkerCodec(null);
  const nameTemplates = templatesRead(TYPED, []);
  const options = { apex, nameTemplates, codec, signing: null, isOwnedByUs: ownsNothing };
  const labelsIn = (value: string) => {
    const text = codec.read(value);
    return text === null || text === "unreadable" ? [] : [text.labels];
  };
  const isTyped = ({ name }: RecordSet) =>
    candidatesAt(name, options).some(({ type }) => type !== null);
  const labelled = (at: DnsName) => candidatesAt(at, options).map((one) => one.name);
  return {
    name: "txt",
    ownersIn: ({ values }) =>
      values.flatMap((value) => labelsIn(value)).map((labels) => labels["owner"] ?? ""),
    namesIn: ({ name, values }) =>
      values.some((value) => labelsIn(value).length > 0) ? labelled(trustedDnsName(name)) : [],
    learn: () => undefined,
    // An unreadable marker has no owner and may be our own.
    read: (sets) =>
      foldTyped(sets, options)
        .map((key) => toOwned(key, ownsNothing))
        .filter(isMarked)
        .filter(({ marker }) => marker.trouble === undefined),
    labelled,
    markerNames: (name) => [LABEL, TYPED].flatMap((template) => markerNames(template, name, apex)),
    hasMarkerForm: (record) =>
      record.values.some(
        (value) =>
          spellings(value).some((one) => labelsIn(one).length > 0) ||
          (codec.read(value) === "unreadable" && isTyped(record)),
      ),
  };
}

/** `sign`: a text that every marker has; its absence shows quickly that a value is none. */
function nameReader(
  format: NameMarkerFormat,
  { apex, sign }: { readonly apex: DnsName; readonly sign: string },
): OtherFormat {
  const [name = apex] = format.markerNames(apex);
  const isSigned = ({ values }: RecordSet) => values.some((value) => value.includes(sign));
  const parse = (record: RecordSet) => (isSigned(record) ? format.parse(record) : null);
  return {
    name: format.name,
    ownersIn: (record) => parse(record)?.claims.map(({ owner }) => owner) ?? [],
    namesIn: (record) => {
      const marker = parse(record);
      return marker === null ? [] : [marker.name];
    },
    learn: (record) => {
      if (isSigned(record)) format.learn(record);
    },
    read: (sets) => foldNames(sets, { format, isOwnedByUs: ownsNothing }).filter(isMarked),
    labelled: (at) => {
      const name = format.labelled(at);
      const more = format.alsoLabelled(at);
      return name === null ? more : [name, ...more];
    },
    markerNames: (name) => [...format.markerNames(name), ...format.otherMarkerNames(name)],
    hasMarkerForm: (record) => {
      const values = record.values.flatMap(spellings);
      const isMarkerAt = (name: DnsName) => format.parse({ ...record, name, values }) !== null;
      return isMarkerAt(name) || isMarkerAt(trustedDnsName(record.name));
    },
  };
}

/**
 * A value as it is, with its escapes undone, and each of its character-strings alone, because some
 * programs read only one.
 */
function spellings(value: string): readonly string[] {
  const strings = stringsOf(value);
  const plain = [strings.join(""), ...strings].map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`);
  return [...new Set([value, ...plain])];
}
