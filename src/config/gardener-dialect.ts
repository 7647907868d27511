/**
 * Options as Gardener's DNS controller manager has them, made into ours. What has no effect here
 * gets a remark with the reason. Pure.
 */
import type { Problem } from "../model/problem.ts";
import {
  ABSENT,
  ACCOUNT_SCOPES,
  EMPTY_BY_DEFAULT,
  GARDENER_OPTIONS,
  GARDENER_TYPES,
  type GardenerOption,
  PROVIDER_SCOPES,
  sourceScopes,
} from "./gardener-options.ts";
import { type Scoped, settle, type Values } from "./gardener-scopes.ts";
import { type CommandName, invalidOption, type PlugIns } from "./option.ts";
import { LOGRUS_LEVELS, option } from "./option-row.ts";
import { itemsOf, parseOptionValue, type RawValue } from "./parse-option-value.ts";

/** What became of what was given. */
export interface Translated {
  /** By option name or alias of ours. */
  readonly values: Values;
  /** One line each, sorted. */
  readonly remarks: readonly string[];
  readonly problems: readonly Problem[];
}

/** An option as it is written, with its scope: `aws-route53.ttl`. */
export interface GardenerFlag {
  readonly name: string;
  /** Empty = all. */
  readonly scope: string;
  readonly row: GardenerOption;
}

/** How it is read. */
export interface DialectInput {
  /** `--dialect gardener`. */
  readonly isGardener: boolean;
  readonly plugIns: PlugIns;
}

/** Every spelling that is not one of ours. */
export function gardenerFlags(plugIns: PlugIns): readonly GardenerFlag[] {
  const scopes = {
    providers: PROVIDER_SCOPES,
    accounts: ACCOUNT_SCOPES,
    sources: sourceScopes(plugIns),
    annotation: ["annotation"],
  };
  return GARDENER_OPTIONS.flatMap((row) => [
    ...(row.isPlain ? [{ name: row.name, scope: "", row }] : []),
    ...row.scopes
      .flatMap((group) => scopes[group])
      .map((scope) => ({ name: `${scope}.${row.name}`, scope, row })),
  ]);
}

const LEASE = "lease-namespace";

/** Our own options stay as they are. */
export function fromGardener(
  given: Values,
  { isGardener, plugIns, command }: DialectInput & { readonly command: CommandName },
): Translated {
  const flags = takesGardener(command) ? gardenerFlags(plugIns) : [];
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const entries = Object.entries(given).filter(([name, raw]) => raw !== "" || !isDefault(name));
  const own = entries.filter(([name]) => !byName.has(name));
  const foreign = entries.flatMap(([name, raw]) => {
    const flag = byName.get(name);
    return flag === undefined ? [] : [{ flag, raw, effect: effectOf(flag, raw) }];
  });
  const isTwice = isGardener && given["namespace"] !== undefined && given[LEASE] !== undefined;
  const problems = [
    ...(isTwice
      ? [invalidOption("namespace", `and --${LEASE} are the same option; give one`)]
      : []),
    ...foreign.flatMap(({ effect }) => (typeof effect === "object" ? effect : [])),
  ];
  const remarks = foreign.flatMap(({ effect }) => (typeof effect === "string" ? effect : []));
  let values: Values = Object.fromEntries(
    own.map(([name, raw]) => [isGardener && name === "namespace" ? LEASE : name, raw]),
  );
  const scoped = foreign.filter(({ effect }) => effect === true);
  for (const [to, some] of byOption(scoped)) {
    const settled = settle(to, some, values);
    values = settled.values ?? values;
    remarks.push(...settled.remarks);
    problems.push(...settled.problems);
  }
  const read = readControllers(values, plugIns);
  const types = readTypes(values, plugIns);
  return {
    values: { ...values, ...levelOf(values["log-level"]), ...types.values, ...read.values },
    remarks: [...remarks, ...types.remarks, ...read.remarks].sort(),
    problems: [...problems, ...types.problems, ...read.problems],
  };
}

/**
 * Commands that Gardener's own command line may be given to. Flags of other commands may be called
 * as one of Gardener's: `--name`.
 */
export function takesGardener(command: CommandName): boolean {
  return command === "run" || command === "check";
}

function isDefault(name: string): boolean {
  return EMPTY_BY_DEFAULT.includes(name.split(".").at(-1) ?? "");
}

/** True = it is one of ours; a text = a remark, it has no effect; else what is wrong with it. */
function effectOf(
  { name, scope, row }: GardenerFlag,
  raw: RawValue,
): true | string | readonly Problem[] {
  const parsed = parseOptionValue(option({ ...row, doc: "", commands: [] }), raw);
  if (!parsed.ok) return [invalidOption(name, `--${name} ${parsed.error}`)];
  const why = ABSENT[scope] ?? (row.to === null ? row.why : null);
  return why === null ? true : `--${name} has no effect: ${why}`;
}

interface Foreign {
  readonly flag: GardenerFlag;
  readonly raw: RawValue;
}

function byOption(foreign: readonly Foreign[]): ReadonlyMap<string, readonly Scoped[]> {
  const found = new Map<string, readonly Scoped[]>();
  for (const { flag, raw } of foreign) {
    const to = flag.row.to ?? "";
    found.set(to, [...(found.get(to) ?? []), { flag: flag.name, raw }]);
  }
  return found;
}

function levelOf(raw: RawValue | undefined): Values {
  const level = typeof raw === "string" ? LOGRUS_LEVELS[raw] : undefined;
  return level === undefined ? {} : { "log-level": level };
}

/** A type of DNSProviders in `--controllers` is `compound` with that `--provider-types`. */
function readControllers(given: Values, plugIns: PlugIns): Translated {
  const items = itemsOf(given["controllers"] ?? []);
  const read = items.map((item) => controllerOf(item, plugIns));
  const controllers = [...new Set(read.flatMap(({ names }) => names))];
  const isNone = items.length > 0 && controllers.length === 0;
  const types = EVERY_TYPE.some((item) => items.includes(item))
    ? []
    : read.flatMap(({ type = [] }) => type);
  const isTwice = types.length > 0 && given[PROVIDER_TYPES] !== undefined;
  return {
    values: {
      // One that is refused below is refused once.
      ...(items.length === 0 ? {} : { controllers: isNone ? ["all"] : controllers }),
      ...(types.length === 0 ? {} : { [PROVIDER_TYPES]: types }),
    },
    remarks: read.flatMap(({ remark = [] }) => remark),
    problems: [
      ...(isNone ? [invalidOption("controllers", NONE_HERE)] : []),
      ...(isTwice ? [invalidOption("controllers", TYPES_TWICE)] : []),
    ],
  };
}

const PROVIDER_TYPES = "provider-types";
/** Groups with the controllers of all types. */
const EVERY_TYPE = ["all", "dnscontrollers"];
const NONE_HERE = "--controllers names none that is here; give all, or some of them";
const TYPES_TWICE =
  "--controllers names types of DNSProviders, and --provider-types is given too; give them once";

interface ReadController {
  readonly names: readonly string[];
  /** Of DNSProviders; absent = none is named. */
  readonly type?: string;
  readonly remark?: string;
}

/** A name of Gardener's `--controllers` as names of ours. */
function controllerOf(item: string, plugIns: PlugIns): ReadController {
  // Its copies of DNSEntries are asked for by name.
  const ofGroup = plugIns.controllers.filter((one) => one.isGardeners && one.isDefault);
  if (item === "dnssources") return { names: ofGroup.map(({ name }) => name) };
  if (item === "dnscontrollers") return { names: ["compound"] };
  if (plugIns.providerTypes.some(({ name }) => name === item))
    return { names: ["compound"], type: item };
  const why =
    item === "annotation"
      ? "DNSAnnotations are read by the sources themselves"
      : (ABSENT[item] ?? absentType(item, plugIns));
  if (why === null) return { names: [item] };
  return { names: [], remark: `--controllers ${item} has no effect: ${why}` };
}

/** Null = it is here, or is no type. */
function absentType(item: string, { providerTypes }: PlugIns): string | null {
  const isHere = providerTypes.some(({ name }) => name === item);
  if (isHere || !GARDENER_TYPES.includes(item)) return null;
  return `there are no DNSProviders of type ${item} here`;
}

/** Types that are not here get a remark, and are not asked for. */
function readTypes(given: Values, plugIns: PlugIns): Translated {
  const items = itemsOf(given[PROVIDER_TYPES] ?? []);
  const absent = items.flatMap((item) => {
    const why = absentType(item, plugIns);
    return why === null ? [] : [{ item, why }];
  });
  if (absent.length === 0) return { values: {}, remarks: [], problems: [] };
  const types = items.filter((item) => absentType(item, plugIns) === null);
  // One that is refused here is refused once.
  const values = { [PROVIDER_TYPES]: types.length === 0 ? ["all"] : types };
  const remarks = absent.map(({ item, why }) => `--provider-types ${item} has no effect: ${why}`);
  const reasons = absent.map(({ why }) => why).join("; ");
  const none = `--provider-types names none that is here: ${reasons}; give all, or types that are here`;
  return {
    values,
    remarks,
    problems: types.length === 0 ? [invalidOption(PROVIDER_TYPES, none)] : [],
  };
}
