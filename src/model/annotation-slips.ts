/**
 * Annotations whose key nobody knows, and which one was meant: a slip of the pen in the key, or in
 * its prefix. Prefixes of other programs are no slips. Pure.
 */
import {
  ANNOTATION_KEYS,
  annotationRow,
  EXTERNAL_DNS_PREFIXES,
  insteadOf,
  NAMES_ANNOTATION,
  WATCHED_PREFIXES,
} from "./annotation-keys.ts";
import { editDistance } from "./edit-distance.ts";

/** Letters that may differ between a slip of the pen and the key that was meant. */
const KEY_NEAR_MAX = 3;
/** The same of a prefix: `cert.gardener.cloud/` is another program's. */
const PREFIX_NEAR_MAX = /* clause: prefix-slip-distance */ 2;

const PREFIXES: readonly string[] = [...WATCHED_PREFIXES, ...EXTERNAL_DNS_PREFIXES];

/** A key that nobody knows. */
export interface KeySlip {
  /** The key that was meant; null = none is near. */
  readonly meant: string | null;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** What is wrong with a key; null = nothing, or it is another program's. */
export function slipOf(key: string): KeySlip | null {
  const prefix = key.slice(0, key.indexOf("/") + 1);
  const isWatched = WATCHED_PREFIXES.some((one) => one === prefix);
  if (isWatched) {
    if (annotationRow(key) !== null) return null;
    const meant = nearestKey(key);
    return { meant, message: slipText(meant) };
  }
  const meant = PREFIXES.includes(prefix) ? null : meantUnderPrefix(prefix, key);
  return meant === null ? null : { meant, message: slipText(meant) };
}

/** Values of keys that nobody knows where one of `meant` was meant. */
export function misspeltValues(
  annotations: Readonly<Record<string, string>>,
  meant: readonly string[],
): readonly string[] {
  return Object.entries(annotations).flatMap(([key, value]) =>
    meant.includes(slipOf(key)?.meant ?? "") ? [value] : [],
  );
}

/** Whether one of these keys may have been meant as the one for names, on such an object. */
export function hasMisspeltNames(
  kind: string,
  annotations: Readonly<Record<string, string>>,
): boolean {
  if (insteadOf(kind, NAMES_ANNOTATION) !== null) return false;
  return misspeltValues(annotations, [NAMES_ANNOTATION]).length > 0;
}

/** What follows a prefix that is none has to be near a key, too. */
function meantUnderPrefix(prefix: string, key: string): string | null {
  const near = PREFIXES.find((one) => isNear(one, prefix, PREFIX_NEAR_MAX));
  if (/* clause: prefix-slip-is-a-mistake */ near === undefined) return null;
  const meant = `${near}${key.slice(prefix.length)}`;
  return annotationRow(meant) === null ? nearestKey(meant) : meant;
}

/** Null = none is near. */
function nearestKey(key: string): string | null {
  const [nearest] = ANNOTATION_KEYS.filter((one) => isNear(one.key, key, KEY_NEAR_MAX))
    .map((one) => ({ key: one.key, far: editDistance(key, one.key) }))
    .sort((a, b) => a.far - b.far);
  return nearest?.key ?? null;
}

/** Asked for each annotation of each object: most differ in length. */
function isNear(a: string, b: string, max: number): boolean {
  return Math.abs(a.length - b.length) <= max && editDistance(a, b) <= max;
}

function slipText(meant: string | null): string {
  if (meant === null) return "no annotation is called so: remove it";
  const isOfExternalDns = EXTERNAL_DNS_PREFIXES.some((one) => meant.startsWith(one));
  const whose = isOfExternalDns ? " for external-dns" : "";
  const here =
    isOfExternalDns && meant.endsWith("hostname") ? `, ${NAMES_ANNOTATION} for Zonekeeper` : "";
  return `no annotation is called so: write ${meant}${whose}${here}, or remove it`;
}
