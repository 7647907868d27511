/**
 * SVCB and HTTPS: where and how a service is reached (RFC 9460 §2.1 text, §2.2 wire, §2.4.2 alias
 * mode: priority 0, no parameters). The case of the target is kept: RFC 4034 §6.2 does not list
 * SVCB among the types whose names are folded. Service parameters are read in any order and kept in
 * ascending order of keys, each key once (§8 `mandatory`); unknown keys are `key<n>` with their
 * bytes as a quoted string.
 */
import { byteAt } from "@zonekeeper/base/bytes";
import { fail, mapOk, ok, type Result } from "@zonekeeper/base/result";
import { parseKeptName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { SVC_KEYS, type SvcKey } from "./svc-value.ts";
import { formatText, parseText, parseUnsigned, splitTokens } from "./tokens.ts";

/** One parameter as the wire has it. */
export interface SvcParam {
  /** 0 to 65534; 65535 is reserved as invalid (RFC 9460 §14.3.2). */
  readonly key: number;
  readonly value: Uint8Array;
}

const KEY_MAX = 65_534;
const MANDATORY = 0;
const ALPN = 1;
const NO_DEFAULT_ALPN = 2;
const LATIN = new TextDecoder("latin1");
const EMPTY = new Uint8Array(0);
/**
 * The key `ohttp` (RFC 9540 §4) is read by this name and written as `key8`, because name servers of
 * 2024 know only the number.
 */
const OHTTP = 8;

/** `mandatory=alpn,port` (RFC 9460 §8): other keys, each once, ascending on the wire. */
const MANDATORY_KEY: SvcKey = {
  number: MANDATORY,
  name: "mandatory",
  parse: (value) => {
    const keys = LATIN.decode(value).split(",").map(numberOf);
    const known = keys.filter((key) => key !== null).sort((a, b) => a - b);
    return known[0] !== MANDATORY && known.length === keys.length && isAscending(known)
      ? ok(Uint8Array.from(known.flatMap((key) => [key >> 8, key & 0xff])))
      : fail("mandatory takes other keys, each once, with commas between: mandatory=alpn,port");
  },
  format: (bytes) => {
    const keys = keysOf(bytes);
    const isSound = keys.length > 0 && keys.length * 2 === bytes.length && isAscending(keys);
    return isSound && keys[0] !== MANDATORY ? keys.map(nameOf).join(",") : null;
  },
};

const BY_NUMBER: ReadonlyMap<number, SvcKey> = new Map(
  [MANDATORY_KEY, ...SVC_KEYS].map((key) => [key.number, key]),
);
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...[...BY_NUMBER.values()].map((key) => [key.name, key.number] as const),
  ["ohttp", OHTTP],
]);

/** Reads `key=value` words; sorted by key. */
export function parseSvcParams(tokens: readonly string[]): Result<readonly SvcParam[]> {
  const params: SvcParam[] = [];
  for (const token of tokens) {
    const param = parseSvcParam(token);
    if (!param.ok) return param;
    if (params.some(({ key }) => key === param.value.key))
      return fail(`the parameter ${nameOf(param.value.key)} stands twice; give it once`);
    params.push(param.value);
  }
  params.sort((a, b) => a.key - b.key);
  const trouble = togetherTrouble(params);
  return trouble === null ? ok(params) : fail(trouble);
}

function parseSvcParam(token: string): Result<SvcParam> {
  const equals = token.indexOf("=");
  const name = equals < 0 ? token : token.slice(0, equals);
  const key = numberOf(name.toLowerCase());
  if (key === null)
    return fail(`"${name}" is no service parameter; write alpn, port, … or key<0 to ${KEY_MAX}>`);
  const text = equals < 0 ? "" : token.slice(equals + 1);
  const value = text === "" ? ok(EMPTY) : parseText(text, name);
  if (!value.ok) return value;
  return mapOk(bytesFor(key, name, value.value), (bytes) => ({ key, value: bytes }));
}

/** RFC 9460 §2.1: `key<n>` always takes the bytes of the wire, also for keys that have a name. */
function bytesFor(key: number, name: string, value: Uint8Array): Result<Uint8Array> {
  if (value.length > 65_535) return fail(`${name} has more than 65535 bytes`);
  const known = BY_NUMBER.get(key);
  if (known === undefined) return ok(value);
  const bytes = /^key\d/i.test(name) ? ok(value) : known.parse(value);
  if (bytes.ok && known.format(bytes.value) === null)
    return fail(`the bytes of ${name} are no value of ${known.name}; write ${known.name}=…`);
  return bytes;
}

/**
 * Canonical words of parameters, or null when the wire has them in a wrong order, twice, or with a
 * value that is not valid (RFC 9460 §2.2: malformed).
 */
export function formatSvcParams(params: readonly SvcParam[]): readonly string[] | null {
  if (!isAscending(params.map(({ key }) => key)) || togetherTrouble(params) !== null) return null;
  const tokens = params.map(tokenOf).filter((token) => token !== null);
  return tokens.length === params.length ? tokens : null;
}

function tokenOf({ key, value }: SvcParam): string | null {
  if (key > KEY_MAX) return null;
  const known = BY_NUMBER.get(key);
  if (known === undefined && value.length === 0) return nameOf(key);
  const text = known === undefined ? formatText(value) : known.format(value);
  if (text === null) return null;
  return text === "" ? nameOf(key) : `${nameOf(key)}=${text}`;
}

/** The rule that parameters, sorted by key, break together; null = none. */
function togetherTrouble(params: readonly SvcParam[]): string | null {
  const present = new Set(params.map(({ key }) => key));
  if (present.has(NO_DEFAULT_ALPN) && !present.has(ALPN))
    return "no-default-alpn needs alpn beside it (RFC 9460 §7.1.1)";
  const mandatory = params[0]?.key === MANDATORY ? keysOf(params[0].value) : [];
  const missing = mandatory.find((key) => !present.has(key));
  return missing === undefined
    ? null
    : `mandatory names ${nameOf(missing)}, which is not among the parameters (RFC 9460 §8)`;
}

/** The number of `alpn` or `key1`, leading zeros refused; null = neither. */
function numberOf(name: string): number | null {
  const known = NUMBERS.get(name);
  if (known !== undefined) return known;
  const digits = /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1];
  const number = digits === undefined ? Number.NaN : Number(digits);
  return number <= KEY_MAX ? number : null;
}

function nameOf(key: number): string {
  return BY_NUMBER.get(key)?.name ?? `key${key}`;
}

function keysOf(value: Uint8Array): readonly number[] {
  const keys: number[] = [];
  for (let at = 0; at + 1 < value.length; at += 2)
    keys.push((byteAt(value, at) << 8) | byteAt(value, at + 1));
  return keys;
}

function isAscending(keys: readonly number[]): boolean {
  return keys.every((key, index) => index === 0 || key > byteAt(keys, index - 1));
}

/** Reads SVCB or HTTPS rdata. */
function parseServiceBinding(text: string): Result<string> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  const [priorityText = "", targetText, ...paramTexts] = tokens.value;
  if (targetText === undefined)
    return fail("write priority, target and parameters, such as 1 . alpn=h2,h3");
  const priority = parseUnsigned(priorityText, 65_535, "the priority");
  if (!priority.ok) return priority;
  const target = parseKeptName(targetText);
  if (!target.ok) return target;
  if (priority.value === 0 && paramTexts.length > 0)
    return fail(
      "priority 0 is an alias and takes no parameters; write priority 1, or only a target",
    );
  const params = parseSvcParams(paramTexts);
  if (!params.ok) return params;
  const canonical = formatSvcParams(params.value) ?? [];
  return ok([priority.value, target.value, ...canonical].join(" "));
}

/** Type 64. */
export const SVCB: RdataFormat = { type: "SVCB", parse: parseServiceBinding };
/** Type 65. */
export const HTTPS: RdataFormat = { type: "HTTPS", parse: parseServiceBinding };
