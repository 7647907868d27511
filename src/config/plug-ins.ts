/** What the option table is completed with: what options can name, and options of modules. */
import type { Option } from "./option.ts";
import type { NamedPlugIns } from "./plug-in-choices.ts";

/** Made by app, which knows the plug-ins. */
export interface PlugIns extends NamedPlugIns {
  /** Rows of plug-in modules, after our own in the table. */
  readonly options: readonly Option[];
}
