/** The rows that the program is composed of: its own, and those of plug-ins after them. */
import type { Option } from "../../config/option.ts";
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
