/**
 * The annotations of Gardener's source controllers (external-dns-management, prefix
 * `dns.gardener.cloud/`). Reads values; what they mean for a kind is decided by its source.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { quoted, readName } from "./read-name.ts";

/** Whole seconds. */
export const TTL_ANNOTATION = "dns.gardener.cloud/ttl";
/**
 * Largest TTL in seconds, as the DNSEntry resource allows it (100 days).
 */
export const TTL_SECONDS_MAX = 8_640_000;
/** Largest TTL in seconds of records (RFC 2181 §8), which external-dns takes. */
export const TTL_OF_DNS_MAX = 2 ** 31 - 1;
/** Names one object may list; more is a mistake or an attack. */
const NAMES_MAX = 1000;

/** A list of names by its first thousand; those beyond keep what stands, and `excess` says so. */
export interface FirstNames<Item> {
  readonly first: readonly Item[];
  readonly excess: readonly Problem[];
}

/** Takes of what lists names in `field` of an object as many as one object may list. */
export function firstNames<Item>(
  object: KubeObject,
  all: readonly Item[],
  field: string,
): FirstNames<Item> {
  if (all.length <= NAMES_MAX) return { first: all, excess: [] };
  const subject = resourceOf(objectKeyOf(object, ""));
  const message = `${all.length} names are listed; only the first ${NAMES_MAX} are used, split the ${object.kind}`;
  const excess = [{ code: "TooManyNames", subject, message, field }];
  return { first: all.slice(0, NAMES_MAX), excess };
}

/** What the names annotation says. */
export interface AnnotatedNames {
  /** `*` or `all` is in the list. */
  readonly all: boolean;
  /** In the order of the annotation, without duplicates. */
  readonly names: readonly DnsName[];
  /** One for each text that is no name; it could hide one. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the names annotation; null when the object has none: it wants nothing. One without a name
 * is a mistake: a template whose value is missing writes it so.
 */
export function annotatedNames(object: KubeObject): AnnotatedNames | null {
  const annotation = object.metadata.annotations?.[NAMES_ANNOTATION];
  if (annotation === undefined) return null;
  const texts = annotation
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const names = new Set<DnsName>();
  const problems: Problem[] = [];
  // clause: empty-names-are-a-mistake
  if (texts.length === 0)
    problems.push(
      annotationProblem(object, NAMES_ANNOTATION, { code: "InvalidDnsName", message: NO_NAME }),
    );
  const { first, excess } = firstNames(object, texts, annotationField(NAMES_ANNOTATION));
  problems.push(...excess);
  for (const text of first) {
    if (isAll(text)) continue;
    const name = readName(text);
    if (name.ok) names.add(name.value);
    else problems.push(badName(text, name.error));
  }
  return { all: texts.some(isAll), names: [...names], problems };
}

/**
 * Reads the TTL annotation: seconds, null = no wish, which 0 says, too (Gardener docs). That of
 * external-dns may be a duration of Go as well, whose fraction of a second is dropped.
 */
export function annotatedTtl(object: KubeObject, key = TTL_ANNOTATION): Result<number | null> {
  const text = object.metadata.annotations?.[key]?.trim() ?? "";
  if (text === "" || text === "0") return ok(null);
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : null;
  const read = key === TTL_ANNOTATION ? seconds : (seconds ?? durationSeconds(text));
  const max = key === TTL_ANNOTATION ? TTL_SECONDS_MAX : TTL_OF_DNS_MAX;
  return read === null ? badTtl(quoted(text), max) : readTtl(read, max);
}

const NO_NAME = "it lists no name; write names, or remove the annotation to take them off";

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** `1h30m`; null = it is no such duration. */
function durationSeconds(text: string): number | null {
  if (!/^(?:\d{1,10}(?:\.\d{1,9})?(?:h|ms|m|s)){1,4}$/.test(text)) return null;
  const counts = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  const sum = counts.reduce(
    (seconds, [, count = "", unit = ""]) => seconds + Number(count) * (UNIT_SECONDS[unit] ?? 0),
    0,
  );
  return Math.trunc(sum);
}

/** Checks a TTL: a whole number of seconds from 1 to `max`. */
export function readTtl(value: unknown, max = TTL_SECONDS_MAX): Result<number> {
  const isTtl = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
  return isTtl ? ok(value) : badTtl(JSON.stringify(value), max);
}

/** A problem of what this annotation of the object says. */
export function annotationProblem(
  object: KubeObject,
  key: string,
  { code, message }: Pick<Problem, "code" | "message">,
): Problem {
  const subject = resourceOf(objectKeyOf(object, ""));
  return { code, subject, message, field: annotationField(key) };
}

/** The field path of an annotation, for problems. */
export function annotationField(key: string): string {
  return `metadata.annotations[${key}]`;
}

function badTtl(shown: string, max: number): { readonly ok: false; readonly error: string } {
  return fail(
    `invalid TTL: ${shown} is not a whole number of seconds from 1 to ${max}; write e.g. 300`,
  );
}

function isAll(text: string): boolean {
  return text === "*" || text === "all";
}

function badName(text: string, error: string): Problem {
  return {
    code: "InvalidDnsName",
    subject: quoted(text),
    message: `not a DNS name: ${error}${/[\s;|]/.test(text) ? "; separate names by commas" : ""}`,
    field: annotationField(NAMES_ANNOTATION),
  };
}
