/**
 * How ownership TXT records are named, encrypted and signed: rows of the table, and as they are
 * read. Pure; reads no key file.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../model/problem.ts";
import { OptionReader } from "./option-reader.ts";
import { BOTH, choice, flag, list, rows, text } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

/** In the order of the help text. Under another registry they mean nothing. */
export const TXT_OPTIONS = rows(BOTH, {
  "txt-prefix": text(
    "Put before the first label of ownership TXT records; %{record_type} in it stands for the record type. As external-dns has it. Not with txt-suffix.",
  ),
  "txt-suffix": text(
    "Put behind the first label of ownership TXT records; %{record_type} in it stands for the record type. As external-dns has it. Not with txt-prefix.",
  ),
  "txt-wildcard-replacement": text(
    "Stands for the label * in names of ownership TXT records. Without it the marker of *.x is a-*.x, or in the label layout where the provider takes no such name.",
  ),
  "txt-layout": list(
    "Where new ownership TXT records stand: typed (a-www.example.org, with the affixes above) or label (_owner.a.www.example.org). ZONE=LAYOUT says it for one zone. All layouts are read in any case; zonekeeper registry migrate moves what stands.",
    { default: "typed" },
  ),
  "txt-also-read": list(
    "Affixes of earlier configurations that are read besides: prefix=txt.;wildcard=any or suffix=-txt. The affixes above, external-dns's default and the label layout are read anyway.",
  ),
  "txt-encrypt-enabled": flag(
    "Encrypt new ownership TXT records (AES-256-GCM, as external-dns does it). Needs a key. A key without this flag only reads.",
  ),
  "txt-encrypt-aes-key": text(
    "Key of encrypted ownership TXT records: 32 characters, or base64 of 32 bytes. Anybody who sees the command line sees it: rather use txt-encrypt-aes-key-file.",
    { secret: true },
  ),
  "txt-encrypt-aes-key-file": text(
    "File with that key, for example from a Secret that is mounted.",
  ),
  "marker-signing": choice(
    ["off", "write", "require"],
    "Signatures of ownership TXT records: none; written, and checked where they stand; required, so that an unsigned one gives no right. Go off, write, zonekeeper registry migrate, require.",
    { default: "off" },
  ),
  "marker-signing-keys-file": text(
    "File with the keys of signatures, one a line: an id, a blank, base64 of at least 32 bytes. The first one signs, all are accepted.",
  ),
}).map((row) => ({ ...row, registry: "txt" }));

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
  const reader = new OptionReader(options);
  const lowerCase = (name: string): string => (options.text(name) ?? "").toLowerCase();
  const nameTemplate = {
    prefix: lowerCase("txt-prefix"),
    suffix: lowerCase("txt-suffix"),
    wildcard: lowerCase("txt-wildcard-replacement"),
  };
  checkNameTemplate(reader, "txt-prefix", nameTemplate);
  const readAlso = reader.each("txt-also-read", readNameTemplate);
  for (const template of readAlso) checkNameTemplate(reader, "txt-also-read", template);
  const locations = reader.each("txt-layout", readLocation);
  return reader.result({
    nameTemplate,
    readAlso,
    markerLocation: locations.findLast(({ zone }) => zone === null)?.markerLocation ?? "typed",
    markerLocationOf: Object.fromEntries(
      locations.flatMap(({ zone, markerLocation }) =>
        zone === null ? [] : [[zone, markerLocation] as const],
      ),
    ),
    ...readKeys(reader),
  });
}

type Keys = Pick<TxtConfig, "encrypt" | "aesKey" | "aesKeyFile" | "signing" | "signingKeysFile">;

function readKeys(reader: OptionReader): Keys {
  const { options } = reader;
  const keys: Keys = {
    encrypt: options.flag("txt-encrypt-enabled"),
    aesKey: options.text("txt-encrypt-aes-key"),
    aesKeyFile: options.text("txt-encrypt-aes-key-file"),
    signing: options.choice("marker-signing", ["off", "write", "require"]),
    signingKeysFile: options.text("marker-signing-keys-file"),
  };
  if (keys.encrypt && keys.aesKey === null && keys.aesKeyFile === null)
    reader.conflict("txt-encrypt-enabled", "needs --txt-encrypt-aes-key-file");
  if (keys.aesKey !== null && keys.aesKeyFile !== null)
    reader.conflict("txt-encrypt-aes-key", "and its file are two keys; give one of them");
  if (keys.signing !== "off" && keys.signingKeysFile === null)
    reader.conflict("marker-signing", "needs --marker-signing-keys-file");
  return keys;
}

/**
 * The type at the very edge to the name, or with letters between that end no type: `aaaafoo` would
 * be AAAA `foo` and A `aaafoo`.
 */
const CONFUSED = /%\{record_type\}a*$/;
const CONFUSED_END = /^a*%\{record_type\}/;

/** external-dns refuses both at once, too (registry/txt, NewTXTRegistry @v0.22). */
function checkNameTemplate(
  reader: OptionReader,
  name: string,
  { prefix, suffix, wildcard }: NameTemplateConfig,
): void {
  if (prefix !== "" && suffix !== "")
    reader.conflict(name, "and a suffix exclude one another; give one of them");
  if (CONFUSED.test(prefix) || CONFUSED_END.test(suffix))
    reader.refuse(
      name,
      "has nothing between the record type and the name, so that a marker could be read as another record's; put a dot or a dash there, such as %{record_type}.",
    );
  const fixed = `${prefix}${suffix}`.replaceAll("%{record_type}", "");
  if (!/^[a-z0-9._-]*$/.test(fixed) || !/^[a-z0-9_-]*$/.test(wildcard))
    reader.refuse(name, "holds what cannot stand in a DNS name");
}

interface ChosenLocation {
  /** Null = for every zone. */
  readonly zone: string | null;
  readonly markerLocation: MarkerLocation;
}

/** `label`, or `example.org=label`. */
function readLocation(text: string): Result<ChosenLocation> {
  const at = text.lastIndexOf("=");
  const markerLocation = text.slice(at + 1);
  const zone = at < 0 ? null : parseDnsName(text.slice(0, at));
  if (markerLocation !== "typed" && markerLocation !== "label")
    return fail(`${markerLocation} is none of typed, label`);
  if (zone !== null && !zone.ok) return zone;
  return ok({ zone: zone === null ? null : zone.value, markerLocation });
}

const TEMPLATE_FIELDS: readonly string[] = ["prefix", "suffix", "wildcard"];

/** `prefix=txt.;wildcard=any`. */
function readNameTemplate(text: string): Result<NameTemplateConfig> {
  const fields = text.split(";").map((part) => part.split("=").map((one) => one.trim()));
  const strange = fields.find(
    ([key = "", ...rest]) => !TEMPLATE_FIELDS.includes(key) || rest.length !== 1,
  );
  if (strange !== undefined)
    return fail(`${strange.join("=")} is not understood; prefix=txt.;wildcard=any would be`);
  const found = Object.fromEntries(fields.map(([key = "", value = ""]) => [key, value]));
  const { prefix = "", suffix = "", wildcard = "" } = found;
  return ok({
    prefix: prefix.toLowerCase(),
    suffix: suffix.toLowerCase(),
    wildcard: wildcard.toLowerCase(),
  });
}
