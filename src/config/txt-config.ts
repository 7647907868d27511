/**
 * How ownership TXT records are named, encrypted and signed, as the user configured it. Pure; reads
 * no key file.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { oneOf } from "./shared-config.ts";

/** What stands around the first label of a record's name in the name of its marker; lower case. */
export interface NameTemplateConfig {
  readonly prefix: string;
  readonly suffix: string;
  /** Empty = none. */
  readonly wildcard: string;
}

/** Where new markers stand (Z-12). */
export type MarkerLocation = "typed" | "label";

/** Everything about the TXT registry. */
export interface TxtConfig {
  /** Of the layout `typed`; all empty = external-dns's default. */
  readonly nameTemplate: NameTemplateConfig;
  readonly readAlso: readonly NameTemplateConfig[];
  readonly markerLocation: MarkerLocation;
  /** By apex, for zones that differ. */
  readonly markerLocationOf: Readonly<Record<string, MarkerLocation>>;
  /** True = new markers are encrypted. */
  readonly encrypt: boolean;
  /** The key as it was given, and the file that has it; null = not given. Never both. */
  readonly aesKey: string | null;
  readonly aesKeyFile: string | null;
  readonly signing: "off" | "write" | "require";
  /** Null only when signing is off. */
  readonly signingKeysFile: string | null;
}

/** The defaults: external-dns's names, plain and unsigned. */
export const TXT_DEFAULTS: TxtConfig = {
  nameTemplate: { prefix: "", suffix: "", wildcard: "" },
  readAlso: [],
  markerLocation: "typed",
  markerLocationOf: {},
  encrypt: false,
  aesKey: null,
  aesKeyFile: null,
  signing: "off",
  signingKeysFile: null,
};

/** Fails with everything that contradicts or says nothing. */
export function readTxt(options: ResolvedOptions): Result<TxtConfig, readonly Problem[]> {
  const text = (name: string): string => (options.text(name) ?? "").toLowerCase();
  const nameTemplate = {
    prefix: text("txt-prefix"),
    suffix: text("txt-suffix"),
    wildcard: text("txt-wildcard-replacement"),
  };
  const readAlso = options.list("txt-also-read").map(readNameTemplate);
  const locations = options.list("txt-layout").map(readLocation);
  const keys = readKeys(options);
  const problems = [
    ...nameTemplateProblems("--txt-prefix", nameTemplate),
    ...errorsOf(readAlso),
    ...errorsOf(locations),
    ...keyProblems(keys),
  ];
  if (problems.length > 0) return fail(problems);
  const chosen = valuesOf(locations);
  return ok({
    nameTemplate,
    readAlso: valuesOf(readAlso),
    markerLocation: chosen.findLast(({ zone }) => zone === null)?.markerLocation ?? "typed",
    markerLocationOf: Object.fromEntries(
      chosen.flatMap(({ zone, markerLocation }) =>
        zone === null ? [] : [[zone, markerLocation] as const],
      ),
    ),
    ...keys,
  });
}

type Keys = Pick<TxtConfig, "encrypt" | "aesKey" | "aesKeyFile" | "signing" | "signingKeysFile">;

function readKeys(options: ResolvedOptions): Keys {
  return {
    encrypt: options.flag("txt-encrypt-enabled"),
    aesKey: options.text("txt-encrypt-aes-key"),
    aesKeyFile: options.text("txt-encrypt-aes-key-file"),
    signing: oneOf(options.needText("marker-signing"), ["off", "write", "require"]),
    signingKeysFile: options.text("marker-signing-keys-file"),
  };
}

function keyProblems(keys: Keys): readonly Problem[] {
  const problems: Problem[] = [];
  if (keys.encrypt && keys.aesKey === null && keys.aesKeyFile === null)
    problems.push(conflict("--txt-encrypt-enabled", "needs --txt-encrypt-aes-key-file"));
  if (keys.aesKey !== null && keys.aesKeyFile !== null)
    problems.push(conflict("--txt-encrypt-aes-key", "and its file are two keys; give one of them"));
  if (keys.signing !== "off" && keys.signingKeysFile === null)
    problems.push(conflict("--marker-signing", "needs --marker-signing-keys-file"));
  return problems;
}

/**
 * The type at the very edge to the name, or with letters between that end no type: `aaaafoo` would
 * be AAAA `foo` and A `aaafoo`.
 */
const CONFUSED = /%\{record_type\}a*$/;
const CONFUSED_END = /^a*%\{record_type\}/;

/** external-dns refuses both at once, too (registry/txt, NewTXTRegistry @v0.22). */
function nameTemplateProblems(subject: string, { prefix, suffix, wildcard }: NameTemplateConfig) {
  const problems: Problem[] = [];
  if (prefix !== "" && suffix !== "")
    problems.push(conflict(subject, "and a suffix exclude one another; give one of them"));
  if (CONFUSED.test(prefix) || CONFUSED_END.test(suffix))
    problems.push(
      invalid(
        subject,
        "has nothing between the record type and the name, so that a marker could be read as another record's; put a dot or a dash there, such as %{record_type}.",
      ),
    );
  const fixed = `${prefix}${suffix}`.replaceAll("%{record_type}", "");
  if (!/^[a-z0-9._-]*$/.test(fixed) || !/^[a-z0-9_-]*$/.test(wildcard))
    problems.push(invalid(subject, "holds what cannot stand in a DNS name"));
  return problems;
}

interface ChosenLocation {
  /** Null = for every zone. */
  readonly zone: string | null;
  readonly markerLocation: MarkerLocation;
}

/** `label`, or `example.org=label`. */
function readLocation(text: string): Result<ChosenLocation, readonly Problem[]> {
  const at = text.lastIndexOf("=");
  const markerLocation = text.slice(at + 1);
  const zone = at < 0 ? null : parseDnsName(text.slice(0, at));
  if (markerLocation !== "typed" && markerLocation !== "label")
    return fail([invalid("--txt-layout", `${markerLocation} is none of typed, label`)]);
  if (zone !== null && !zone.ok) return fail([invalid("--txt-layout", zone.error)]);
  return ok({ zone: zone === null ? null : zone.value, markerLocation });
}

const TEMPLATE_FIELDS: readonly string[] = ["prefix", "suffix", "wildcard"];

/** `prefix=txt.;wildcard=any`. */
function readNameTemplate(text: string): Result<NameTemplateConfig, readonly Problem[]> {
  const fields = text.split(";").map((part) => part.split("=").map((one) => one.trim()));
  const strange = fields.find(
    ([key = "", ...rest]) => !TEMPLATE_FIELDS.includes(key) || rest.length !== 1,
  );
  if (strange !== undefined) {
    const message = `${strange.join("=")} is not understood; prefix=txt.;wildcard=any would be`;
    return fail([invalid("--txt-also-read", message)]);
  }
  const found = Object.fromEntries(fields.map(([key = "", value = ""]) => [key, value]));
  const { prefix = "", suffix = "", wildcard = "" } = found;
  const nameTemplate = {
    prefix: prefix.toLowerCase(),
    suffix: suffix.toLowerCase(),
    wildcard: wildcard.toLowerCase(),
  };
  const problems = nameTemplateProblems("--txt-also-read", nameTemplate);
  return problems.length > 0 ? fail(problems) : ok(nameTemplate);
}

function valuesOf<T>(results: readonly Result<T, readonly Problem[]>[]): readonly T[] {
  return results.flatMap((one) => (one.ok ? [one.value] : []));
}

function errorsOf<T>(results: readonly Result<T, readonly Problem[]>[]): readonly Problem[] {
  return results.flatMap((one) => (one.ok ? [] : one.error));
}

function invalid(subject: string, message: string): Problem {
  return { code: "InvalidOption", subject, message };
}

function conflict(subject: string, message: string): Problem {
  return { code: "ConflictingOptions", subject, message };
}
