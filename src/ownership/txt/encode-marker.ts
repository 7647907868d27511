/**
 * The text of a marker of ours at its place: signed for what that place speaks for, plain or
 * encrypted, at most 255 bytes; with the short form of the signature where the long one does not
 * fit. A text that says the same already is kept as it was read.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { FoldOptions } from "./fold-markers.ts";
import { readName } from "./marker-candidates.ts";
import type { MarkerCodec, MarkerText } from "./marker-codec.ts";
import { MARKER_BYTES_MAX, type MarkerLabels, markerBytes } from "./marker-value.ts";
import { type SignedPlace, signed } from "./signature.ts";

/** A marker text to be made. */
export interface Writing {
  readonly labels: MarkerLabels;
  /** What it speaks for. */
  readonly key: RecordSetKey;
  /** Where it stands. */
  readonly place: DnsName;
  /** The text in whose place it comes; null = none. */
  readonly found: (MarkerText & { readonly value: string }) | null;
}

/** The rdata; null when the labels cannot be carried in 255 bytes. */
export function encoded(writing: Writing, options: FoldOptions): string | null {
  const { labels, found } = writing;
  const { codec, signing } = options;
  if (signing === null) return textOf(labels, codec, found);
  const place = placeOf(writing, options);
  return (
    textOf(signed(labels, place, { signing, isShort: false }), codec, found) ??
    textOf(signed(labels, place, { signing, isShort: true }), codec, found)
  );
}

/**
 * What a signature at the marker's place speaks for: as the name there reads, of its type where
 * that is one reading.
 */
function placeOf({ key, place }: Writing, options: FoldOptions): SignedPlace {
  const { name, setIdentifier } = key;
  const readings = readName(place, options).filter((one) => one.name === name);
  const reading = readings.find((one) => one.type === key.type) ?? readings[0];
  const type = reading === undefined ? key.type : reading.type;
  return { apex: options.apex, name, type, setIdentifier };
}

/**
 * The text found where it says the same already; else a new one; null when that is longer than 255
 * bytes.
 */
function textOf(labels: MarkerLabels, codec: MarkerCodec, found: Writing["found"]): string | null {
  if (found !== null && found.form === codec.writes && isSame(found.labels, labels))
    return found.value;
  const value = codec.write(labels);
  return value !== null && markerBytes(value) <= MARKER_BYTES_MAX ? value : null;
}

function isSame(a: MarkerLabels, b: MarkerLabels): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
