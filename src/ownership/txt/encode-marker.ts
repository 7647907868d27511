/**
 * Makes the text of a marker of ours: signed for the record that its name is for, plain or
 * encrypted, at most 255 bytes; with the short form of the signature where the long one does not
 * fit. A text with the same labels is kept as it was read.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSetKey } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { FoldOptions } from "./fold-markers.ts";
import { candidatesAt } from "./marker-candidates.ts";
import type { MarkerCodec, MarkerText } from "./marker-codec.ts";
import { MARKER_BYTES_MAX, type MarkerLabels, markerBytes } from "./marker-value.ts";
import { type SignedRecord, signLabels } from "./signature.ts";

/** A marker text to be made. */
export interface MarkerInput {
  readonly labels: MarkerLabels;
  /** The record set that it labels. */
  readonly key: RecordSetKey;
  /** Name of the marker. */
  readonly markerName: DnsName;
  /** The text that it replaces; null = none. */
  readonly found: (MarkerText & { readonly value: string }) | null;
}

/** The rdata; null when the labels cannot be carried in 255 bytes. */
export function encodeMarker(writing: MarkerInput, options: FoldOptions): string | null {
  const { labels, found } = writing;
  const { codec, signing } = options;
  if (signing === null) return encodedText(labels, codec, found);
  const markerName = signedRecordOf(writing, options);
  return (
    encodedText(signLabels(labels, markerName, { signing, isShort: false }), codec, found) ??
    encodedText(signLabels(labels, markerName, { signing, isShort: true }), codec, found)
  );
}

/**
 * The record that the signature is for: a candidate that the marker's name labels, of the key's
 * type where there is one.
 */
function signedRecordOf({ key, markerName }: MarkerInput, options: FoldOptions): SignedRecord {
  const { name, setIdentifier } = key;
  const candidates = candidatesAt(markerName, options).filter((one) => one.name === name);
  const candidate = candidates.find((one) => one.type === key.type) ?? candidates[0];
  const type = candidate === undefined ? key.type : candidate.type;
  return { apex: options.apex, name, type, setIdentifier };
}

/**
 * The text found where it says the same already; else a new one; null when that is longer than 255
 * bytes.
 */
function encodedText(
  labels: MarkerLabels,
  codec: MarkerCodec,
  found: MarkerInput["found"],
): string | null {
  if (found !== null && found.form === codec.writes && isSameJson(found.labels, labels))
    return found.value;
  const value = codec.write(labels);
  return value !== null && markerBytes(value) <= MARKER_BYTES_MAX ? value : null;
}
