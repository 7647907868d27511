/**
 * What the chart takes below `configuration`, as its templates read it
 * (deploy/chart/files/known-values.json). Pure.
 */
import { EXTERNAL_DNS_FLAGS } from "../../src/app/cli/program.ts";
import { gardenerFlags } from "../../src/config/gardener-dialect.ts";
import { fieldName, type PlugIns } from "../../src/config/option.ts";
import { optionsOf } from "../../src/config/options-table.ts";

/** The chart says these itself: where its own file lies. */
export const MANAGED: ReadonlySet<string> = new Set(["config"]);

/** All records are from the key as it is written in values. */
export interface ConfigurationKeys {
  /** To the flag. */
  readonly options: Readonly<Record<string, string>>;
  /** To the key of ours that it is. */
  readonly aliases: Readonly<Record<string, string>>;
  /** To the flag; with `dialect: gardener` only. */
  readonly gardener: Readonly<Record<string, string>>;
  /** Keys whose value is a secret: no ConfigMap shows it. */
  readonly secrets: readonly string[];
  /** Words of Gardener's for controllers, to the names of those here. */
  readonly controllers: Readonly<Record<string, readonly string[]>>;
  /** Keys that external-dns has, to what does their work here. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** See `ConfigurationKeys`. */
export function configurationKeys(plugIns: PlugIns): ConfigurationKeys {
  const rows = optionsOf("run", plugIns).filter(({ name }) => !MANAGED.has(name));
  const options = Object.fromEntries(rows.map(({ name }) => [fieldName(name), name]));
  const aliases = rows.flatMap((row) =>
    row.aliases.map((alias) => [fieldName(alias), fieldName(row.name)] as const),
  );
  const gardener = gardenerFlags(plugIns)
    .map(({ name }) => [fieldName(name), name] as const)
    .filter(([key]) => options[key] === undefined);
  return {
    options,
    aliases: Object.fromEntries(aliases),
    gardener: Object.fromEntries(gardener),
    controllers: {
      dnscontrollers: ["compound"],
      dnssources: plugIns.controllers.flatMap(({ name, isGardeners, isDefault }) =>
        isGardeners && isDefault ? [name] : [],
      ),
      ...Object.fromEntries(plugIns.providerTypes.map(({ name }) => [name, ["compound"]])),
    },
    secrets: rows.filter(({ secret }) => secret).map(({ name }) => fieldName(name)),
    elsewhere: Object.fromEntries(
      Object.entries(EXTERNAL_DNS_FLAGS).map(([flag, here]) => [
        fieldName(flag.replace(/^--/, "")),
        here,
      ]),
    ),
  };
}
