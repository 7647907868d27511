/**
 * Checks, before a marker is written, that it will be read as it is meant: an id with a separator
 * in it would give the record to another owner, or to none, for ever. Pure.
 */
import { CHARACTER_STRING_BYTES_MAX } from "@zonekeeper/dns/rdata/txt";
import { forbiddenIn, type MarkerFormat } from "../../model/marker-ids.ts";
import type { TypeClaim } from "./name-marker.ts";

/** A marker as it would be written. */
export interface Draft {
  readonly format: MarkerFormat;
  /** The claims that it is to state; without the cluster where the format cannot carry it. */
  readonly meant: readonly TypeClaim[];
  /** The claims that the reader of the format finds in it. */
  readonly read: readonly TypeClaim[];
  /** Character-strings without their quotes. */
  readonly texts: readonly string[];
}

/** A part of a claim that a person can change. */
interface Field {
  readonly label: string;
  readonly remedy: string;
  readonly of: (one: TypeClaim) => string | null;
}

/**
 * Characters that every server keeps as they are between quotes; servers differ in escapes (RFC
 * 1035 §5.1).
 */
const PLAIN = /^[ !#-[\]-~]*$/;
const CARRIES_ALL = "or the registry configmap, which carries any";
const FIELDS: readonly Field[] = [
  {
    label: "owner id",
    remedy: `choose another --owner, ${CARRIES_ALL}`,
    of: ({ owner }) => owner,
  },
  {
    label: "cluster id",
    remedy: `choose another --kubeconfig.id (or --target.id), ${CARRIES_ALL}`,
    of: ({ cluster }) => cluster,
  },
  {
    label: "object",
    remedy: `choose another name for it, ${CARRIES_ALL}`,
    of: ({ resource }) => resource,
  },
];

/**
 * Why this marker must not be written: the field, what is wrong with it, what to do. Null = it is
 * read as it is meant.
 */
export function misread(draft: Draft): string | null {
  const { format, meant, read, texts } = draft;
  const long = texts.find((text) => text.length > CHARACTER_STRING_BYTES_MAX);
  // A claim without a type need not be read again beside claims with types.
  const isAlone = meant.every(({ type }) => type === null);
  const isReadBack = (one: TypeClaim): boolean =>
    (one.type === null && !isAlone) || read.some((each) => isSame(one, each));
  const isTrue =
    long === undefined &&
    texts.every((text) => PLAIN.test(text)) &&
    meant.every(isReadBack) &&
    read.every((one) => meant.some((each) => isSame(each, one)));
  if (isTrue) return null;
  for (const { label, remedy, of } of FIELDS) {
    const text = meant.map(of).find((one) => one !== null && forbiddenIn(format, one) !== null);
    if (typeof text === "string")
      return `the registry ${format} cannot write the ${label} ${JSON.stringify(text)}: it holds ${forbiddenIn(format, text)}; ${remedy}`;
  }
  return long === undefined
    ? `the registry ${format} would not read the marker as it is meant; use the registry configmap`
    : tooLong(meant, long.length);
}

function tooLong(meant: readonly TypeClaim[], bytes: number): string {
  const sizes = FIELDS.map(({ label, remedy, of }) => {
    const length = Math.max(0, ...meant.map((one) => of(one)?.length ?? 0));
    return { length, text: `its ${label} has ${length}; ${remedy}` };
  });
  const { text } = sizes.reduce((longest, one) => (one.length > longest.length ? one : longest));
  return `the marker has ${bytes} bytes and does not fit ${CHARACTER_STRING_BYTES_MAX}: ${text}`;
}

function isSame(meant: TypeClaim, read: TypeClaim): boolean {
  if (meant.type !== read.type || meant.owner !== read.owner) return false;
  const isObject = read.resource === meant.resource || read.resource === meant.shortResource;
  return isObject && read.cluster === meant.cluster;
}
