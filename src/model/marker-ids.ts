/**
 * Which owner and cluster ids a marker of each registry can carry, so that a wrong one is refused
 * when the program starts and never written so that it is read as another. Words only; the formats
 * themselves are in ownership/.
 */

import { CHARACTER_STRING_BYTES_MAX } from "@zonekeeper/dns/rdata/txt";

/** A registry that writes ids into texts of the zone; the others carry any id, or none. */
export type MarkerFormat = "txt" | "gardener" | "mesh";

/**
 * What separates or ends words there, beside the quote that ends the string: txt and mesh part
 * their words by commas (external-dns `endpoint/labels.go` @v0.22 splits at each and escapes none),
 * gardener and mesh undo no `\`.
 */
const FORBIDDEN: Readonly<Record<MarkerFormat, string>> = {
  txt: '",',
  gardener: '"\\',
  mesh: '",\\',
};
const NAMES: ReadonlyMap<string, string> = new Map([
  ['"', "a quote"],
  [",", "a comma"],
  ["\\", "a backslash"],
]);

/** What the format cannot write of this text, such as `a comma`; null = it can. Length apart. */
export function forbiddenIn(format: MarkerFormat, text: string): string | null {
  for (const character of text) {
    if (FORBIDDEN[format].includes(character)) return NAMES.get(character) ?? null;
    if (!/^[ -~]$/.test(character)) return "a character that is not printable ASCII";
  }
  return null;
}

/** What the ids have to share a string with. */
export interface MarkerRoom {
  readonly format: MarkerFormat;
  /** True = the marker has a signature as well (txt). */
  readonly isSigned: boolean;
}

/** The shortest markers there are, without their ids: for an object `b` of a namespace `a`. */
const SHORTEST: Readonly<Record<MarkerFormat, string>> = {
  txt: "heritage=external-dns,external-dns/owner=,external-dns/resource=crd/a/b",
  gardener: "owner=",
  mesh: "cluster=,m=mesh,mesh=,ns=a,resource=crd/a/b,types=A",
};
/**
 * Half of a HMAC-SHA256 in base64url, the short form of a signature, after the shortest id of a
 * key.
 */
const SIGNATURE = `,external-dns/sig=k.${"x".repeat(22)}`;

/**
 * Bytes that all ids of one plain marker may have together, at most: an id stands in one string,
 * and in all but gardener the whole marker.
 */
export function idBytesMax({ format, isSigned }: MarkerRoom): number {
  return CHARACTER_STRING_BYTES_MAX - SHORTEST[format].length - (isSigned ? SIGNATURE.length : 0);
}
