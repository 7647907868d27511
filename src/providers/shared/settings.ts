/**
 * Settings of a vendor's account: the Secret's keys with their other spellings, and the fields of
 * `providerConfig`. Problems name the key or the field, and never a value.
 */
import type { HttpTls } from "@zonekeeper/base/ports/http";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, isFields, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { isLoopback } from "../../model/addresses.ts";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";

/** Keys of a Secret, each with its other spelling or a row that has it. */
export type SecretKeys = Readonly<Record<string, string | SecretRow>>;

/** What is known of a key. */
export interface SecretRow {
  /** The other spelling. */
  readonly other: string;
  /** People choose the value, such as a name or a password: blanks and any letters. */
  readonly isLoose?: true;
  /** The value is a text of several lines, such as a PEM. */
  readonly isFile?: true;
  /** What to do where it is missing; absent = it may be. */
  readonly missing?: string;
  /** In order; the first one that fails is told. */
  readonly checks?: readonly SecretCheck[];
}

/** What a value must be, and what is told where it is not. */
export type SecretCheck = readonly [
  isRight: RegExp | ((value: string) => boolean),
  trouble: string,
  remedy: string,
];

export const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+-----END/;

/** Of a text with a certificate. */
export const CERTIFICATE_CHECK: SecretCheck = [
  CERTIFICATE,
  "is no PEM text",
  "write it with its BEGIN and END lines",
];

/** Of a key that would let anybody in between read what is sent. */
export function trustCheck(certificateKey: string): SecretCheck {
  const remedy = `write the certificate to trust as ${certificateKey} in its place`;
  return [/^false$/, "is not supported", remedy];
}

/** The values by their first spelling; an absent key was not given. */
export type SecretValues = Readonly<Record<string, string>>;

/**
 * What is known of the keys; the others, twice given ones and blanks become problems. One in
 * another case or with other signs is told, and taken for the key that it was meant for. Beside
 * that key it is what `kubectl apply` leaves of a Secret whose `stringData` was mended.
 */
export function readSecret(
  secret: SecretValues,
  keys: SecretKeys,
  problems: Problem[],
): SecretValues {
  const values: Record<string, string> = {};
  const others: [string, string][] = [];
  for (const [given, value] of Object.entries(secret)) {
    const key = Object.keys(keys).find((name) => name === given || otherOf(keys[name]) === given);
    if (key === undefined) others.push([given, value]);
    else if (values[key] !== undefined)
      problems.push(
        secretProblem(given, `is given twice, as ${otherOf(keys[key])} too`, "leave one out"),
      );
    else values[key] = checked(given, value, { form: keys[key], problems });
  }
  const strange: string[] = [];
  for (const [given, value] of others) {
    const meant = Object.keys(keys).find((name) =>
      [name, otherOf(keys[name])].some((spelling) => folded(spelling) === folded(given)),
    );
    if (meant === undefined) strange.push(given);
    else if (values[meant] === undefined) {
      problems.push(secretProblem(given, "is not known", `write it as ${meant}`));
      values[meant] = value;
    }
  }
  if (strange.length > 0) problems.push(unknownKeys(strange, keys));
  for (const [key, row] of Object.entries(keys))
    if (typeof row === "object") checkRow(key, row, { value: values[key], problems });
  return values;
}

function checkRow(
  key: string,
  { missing, checks = [] }: SecretRow,
  { value, problems }: { readonly value: string | undefined; readonly problems: Problem[] },
): void {
  if (value === undefined) {
    if (missing !== undefined) problems.push(secretProblem(key, "is missing", missing));
    return;
  }
  // An empty one is told already.
  if (value.trim() === "") return;
  const failed = checks.find(([isRight]) =>
    isRight instanceof RegExp ? !isRight.test(value) : !isRight(value),
  );
  if (failed !== undefined) problems.push(secretProblem(key, failed[1], failed[2]));
}

/** Keys in one message. */
const SHOWN_KEYS_MAX = 5;

/** One problem, which says once what is possible. */
function unknownKeys(strange: readonly string[], keys: SecretKeys): Problem {
  const [first = "", ...more] = strange;
  const possible = `possible are ${Object.keys(keys).join(", ")}`;
  const problem = secretProblem(first, "is not known", possible);
  const shown = strange.slice(0, SHOWN_KEYS_MAX).join(", ");
  const rest = strange.length > SHOWN_KEYS_MAX ? ", …" : "";
  const message = `the keys ${shown}${rest} of the Secret are not known: ${possible}`;
  return more.length === 0 ? problem : { ...problem, message };
}

function folded(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The other spelling of a key. */
export function otherOf(key: Form): string {
  return typeof key === "object" ? key.other : (key ?? "");
}

type Form = SecretKeys[string] | undefined;

function checked(
  key: string,
  value: string,
  { form, problems }: { readonly form: Form; readonly problems: Problem[] },
): string {
  const { isFile = false, isLoose = false } = typeof form === "object" ? form : {};
  const text = isFile ? value : value.replace(/\n$/, "");
  const isEmpty = (isFile ? text.trim() : text) === "";
  const wrong = isLoose ? /^\s|\s$|\p{Cc}/u : /[^\x21-\x7e]/;
  if (isEmpty || (isFile ? /[^\P{Cc}\s]/u : wrong).test(text))
    problems.push(
      secretProblem(
        key,
        isEmpty ? "is empty" : "holds blanks or other characters that no such value has",
        "write the value alone, without quotes, blanks or line ends",
      ),
    );
  return text;
}

/** A check, what the value must be in words, and perhaps what is wrong with it. */
export type FieldCheck = readonly [
  isRight: (value: unknown) => boolean,
  must: string,
  troubleOf?: (value: unknown) => string,
];
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

/** The fields as they are; unknown and wrong ones become problems. */
export function readConfig(config: unknown, checks: FieldChecks, problems: Problem[]): Fields {
  const given = config ?? {};
  if (!isFields(given)) problems.push(configProblem("", "must be an object"));
  // Without zones the check of the field says what is missing.
  const fields = isFields(given) ? { ...("zones" in checks && { zones: [] }), ...given } : {};
  const known = Object.keys(checks).join(", ");
  const unknown = known === "" ? "is not known; remove it" : `is not known; known are ${known}`;
  for (const [field, value] of Object.entries(fields)) {
    const [isRight, must, troubleOf]: FieldCheck = checks[field] ?? [() => false, unknown];
    if (value !== undefined && !isRight(value))
      problems.push(configProblem(field, troubleOf?.(value) ?? must));
  }
  return fields;
}

/** Settings whose keys and fields were checked one by one. */
interface CheckedSettings {
  readonly values: SecretValues;
  readonly fields: Fields;
  /** The account may use the program's own identity (Z-29). */
  readonly mayBorrow: boolean;
  /** Gets what is wrong with them together. */
  readonly problems: Problem[];
}

/** All problems at once. `toOptions`: null = it added a problem. */
export function settingsParser<O>(
  keys: SecretKeys,
  checks: FieldChecks,
  toOptions: (settings: CheckedSettings) => O | null,
) {
  return (
    { secret, config }: ProviderSettings,
    mayBorrow = false,
  ): Result<O, readonly Problem[]> => {
    const problems: Problem[] = [];
    const values = readSecret(secret, keys, problems);
    const fields = readConfig(config, checks, problems);
    const options = toOptions({ values, fields, mayBorrow, problems });
    return options === null || problems.length > 0 ? fail(problems) : ok(options);
  };
}

/** `https://host[:port]`, without a path. */
export function isOrigin(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\/[^/?#@\s]+\/?$/.test(value);
}

/** A token is sent as it is, so that it goes over TLS or to this host only. */
export function isSafeOrigin(value: unknown): value is string {
  if (!isOrigin(value)) return false;
  return value.startsWith("https:") || isLoopback(new URL(value).hostname);
}

/** Of a field that names another address than the vendor's. */
export function originCheck(example: string): FieldCheck {
  return [
    isSafeOrigin,
    `must be an address such as ${example}, without a path; http is for loopback only`,
  ];
}

/** Of a field that passed its check, without a slash at its end. */
export function originOf<D>(value: unknown, otherwise: D): string | D {
  return isOrigin(value) ? value.replace(/\/$/, "") : otherwise;
}

// The PEM texts of a Secret by which an API is reached over TLS: whom to trust, and what is shown
// to a server that asks for a certificate.

/** Keys of the Secret, each with its other spelling. */
export interface TlsKeys {
  readonly ca: readonly [string, string];
  readonly cert: readonly [string, string];
  readonly key: readonly [string, string];
}

/** For `readSecret`. */
export function tlsSecretKeys({ ca, cert, key }: TlsKeys): SecretKeys {
  return Object.fromEntries(
    [ca, cert, key].map(([name, other]) => [name, { other, isFile: true, checks: [PEM_CHECK] }]),
  );
}

const PEM_CHECK: SecretCheck = [
  /-----BEGIN [A-Z ]+-----[\s\S]+-----END/,
  "is no PEM text",
  "write it with its BEGIN and END lines",
];

/** Null = none is given. */
export function tlsOf(values: SecretValues, keys: TlsKeys, problems: Problem[]): HttpTls | null {
  const [ca, cert, key] = [keys.ca, keys.cert, keys.key].map(([name]) => values[name]);
  if ((cert === undefined) !== (key === undefined)) {
    const [missing] = cert === undefined ? keys.cert : keys.key;
    problems.push(secretProblem(missing, "is missing", "write both, or leave both out"));
  }
  const given = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return Object.keys(given).length === 0 ? null : given;
}

/** A key by which an account uses the identity of this program. */
interface AmbientKey {
  readonly key: string;
  /** What else is given, such as `an access key`; null = nothing. */
  readonly others: string | null;
  /** The account may (Z-29). */
  readonly mayBorrow: boolean;
  /** What to write instead, such as `a key file`. */
  readonly instead: string;
}

/** True where the key is given. */
export function isAmbient(
  values: SecretValues,
  { key, others, mayBorrow, instead }: AmbientKey,
  problems: Problem[],
): boolean {
  const given = values[key];
  if (given === undefined) return false;
  const problem = (trouble: string, remedy: string): void => {
    problems.push(secretProblem(key, trouble, remedy));
  };
  if (given !== "true") problem("must be true or absent", "correct it");
  if (others !== null) problem(`is given with ${others}`, "leave one of them out");
  if (!mayBorrow)
    problem(
      "would use this program's own identity, which this namespace may not",
      `write ${instead}, or ask whoever runs this program for --provider-trusted-namespaces`,
    );
  return true;
}

/** International names with A-labels. Null = the field is given, and is no list of names. */
export function zonesOf(value: unknown): readonly DnsName[] | null {
  if (value === undefined || value === null) return [];
  const names = (textsOf(value) ?? [""]).map(zoneNameOf);
  const zones = names.flatMap((name) => (name.ok ? [name.value] : []));
  return zones.length === names.length ? [...new Set(zones)] : null;
}

const ZONES_MUST = "must be a list of names, such as [example.org]";

/** For a field that names `least` zones or more, where the back end does not say which it has. */
export function zonesCheck(least: number): FieldCheck {
  return [(value) => (zonesOf(value)?.length ?? -1) >= least, ZONES_MUST, zonesTrouble];
}

function zonesTrouble(value: unknown): string {
  for (const text of textsOf(value) ?? []) {
    const name = zoneNameOf(text);
    if (!name.ok) return `has ${JSON.stringify(text)}, which is no zone: ${name.error}`;
  }
  return ZONES_MUST;
}

function zoneNameOf(text: string): Result<DnsName> {
  const name = parseZoneName(text);
  return name.ok && name.value.startsWith("*")
    ? fail("a wildcard is a name in a zone; write the zone, such as example.org")
    : name;
}

export const BOOLEAN_CHECK: FieldCheck = [
  (value) => typeof value === "boolean",
  "must be true or false",
];

export const ZONE_TYPE_CHECK: FieldCheck = [
  (value) => zoneTypeOf(value) !== null,
  "must be public or private",
];

/** Null = the field is absent, or says neither. */
export function zoneTypeOf(value: unknown): "public" | "private" | null {
  return value === "public" || value === "private" ? value : null;
}

/** `trouble` and `remedy` continue "the key X of the Secret …: …". */
export function secretProblem(key: string, trouble: string, remedy: string): Problem {
  return {
    code: "InvalidProviderSecret",
    subject: key,
    message: `the key ${key} of the Secret ${trouble}: ${remedy}`,
    field: `data.${key}`,
  };
}

/** What is wrong with a field of providerConfig; empty = with all of it. */
export function configProblem(field: string, trouble: string): Problem {
  const where = field === "" ? "providerConfig" : `the field ${field} of providerConfig`;
  return {
    code: "InvalidProviderConfig",
    subject: field === "" ? "providerConfig" : field,
    message: `${where} ${trouble}`,
    field: field === "" ? "spec.providerConfig" : `spec.providerConfig.${field}`,
  };
}
