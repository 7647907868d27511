/**
 * The text of a marker of ours at its place: signed for what that place speaks for, plain or encrypted, at most 255
 * bytes; with the short form of the signature where the long one does not fit. A text that says the same already is kept as it was read.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { MarkerText } from "./codec.ts";
import type { FoldOptions } from "./fold.ts";
import { readName } from "./readings.ts";
import { signed } from "./signature.ts";
import { MARKER_BYTES_MAX, type MarkerLabels, markerBytes } from "./value.ts";

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
export function encoded(
  { labels, key, place: owner, found }: Writing,
  options: FoldOptions,
): string | null {
  const { codec, signing, apex } = options;
  const { name, setIdentifier } = key;
  const readings = readName(owner, options).filter((one) => one.name === name);
  const reading = readings.find((one) => one.type === key.type) ?? readings[0];
  const type = reading === undefined ? key.type : reading.type;
  const place = { apex, name, type, setIdentifier };
  const texts =
    signing === null
      ? [labels]
      : [false, true].map((isShort) => signed(labels, place, { signing, isShort }));
  for (const said of texts) {
    if (found !== null && found.form === codec.writes && isSame(found.labels, said))
      return found.value;
    const value = codec.write(said);
    if (value !== null && markerBytes(value) <= MARKER_BYTES_MAX) return value;
  }
  return null;
}

function isSame(a: MarkerLabels, b: MarkerLabels): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
