/**
 * The rows that the program is composed of: its own, and those of plug-ins after them; and what
 * options can name of them, which config may not import.
 */
import type { Option, PlugIns, SourceChoice } from "../../config/option.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";
import { REGISTRIES } from "../../ownership/index.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import { PROVIDER_TYPES } from "../../providers/index.ts";
import type { ProviderType } from "../../providers/provider.ts";
import { SOURCES } from "../../sources/index.ts";
import type { SourceRow } from "../../sources/source.ts";
import type { LoadedPlugin } from "./plugin-module.ts";

/** One list for each sort of plug-in, in the order of help texts. */
export interface Rows {
  readonly sources: readonly SourceRow[];
  readonly providers: readonly ProviderType[];
  readonly registries: readonly RegistryRow[];
  /** Options of modules. */
  readonly options: readonly Option[];
  /** The modules that brought the rows which are not our own. */
  readonly plugins: readonly LoadedPlugin[];
}

/** What is in this repository. */
export const OWN_ROWS: Rows = {
  sources: SOURCES,
  providers: PROVIDER_TYPES,
  registries: REGISTRIES,
  options: [],
  plugins: [],
};

/** What `--controllers` can name of these sources: DNSEntries belong to `compound`. */
export function sourceChoices(rows: readonly SourceRow[]): readonly SourceChoice[] {
  const chosen = rows.filter(({ publishes }) => publishes !== "itself");
  return chosen.map(({ name, primary, publishes, isDefault, doc }) => ({
    ...{ name, isDefault, isGardeners: publishes === "entries" },
    takesWebhooks: primary === DNS_ENDPOINT,
    copiesEntries: primary === DNS_ENTRY,
    doc: isDefault ? doc : `${doc}; not in all: write all,${name}`,
  }));
}

/** What options can name of these parts. */
export function plugInsOf({ sources, registries, providers, options }: Rows): PlugIns {
  return {
    controllers: sourceChoices(sources),
    registries,
    options,
    providerTypes: providers.map(({ type }) => ({ name: type, doc: "" })),
  };
}

/** The plug-ins of this program. */
export const PLUG_INS: PlugIns = plugInsOf(OWN_ROWS);
