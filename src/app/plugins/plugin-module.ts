/**
 * What a plug-in module exports as `plugin`: rows that `--plugin` adds to those of the program. A
 * change that an existing module would not survive is another `api`.
 */
import type { PluginOption } from "../../config/plugin-option.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import type { ProviderType } from "../../providers/provider.ts";
import type { SourceRow } from "../../sources/source.ts";

/** The version of the rows below. */
export const PLUGIN_API = 1;

/** The export `plugin` of a file or package that `--plugin` names. */
export interface PluginModule {
  /** Version of the rows that the module was written for. Another one is refused at the start. */
  readonly api: typeof PLUGIN_API;
  /** Of letters a to z, digits and dashes; messages name the module by it. No two share one. */
  readonly name: string;
  /** Kinds whose objects want records. Absent = none. */
  readonly sources?: readonly SourceRow[];
  /** Types of DNSProviders. Absent = none. */
  readonly providers?: readonly ProviderType[];
  /** Formats of ownership. Absent = none. */
  readonly registries?: readonly RegistryRow[];
  /** Options of the command line; rows are opened with their values. Absent = none. */
  readonly options?: readonly PluginOption[];
  /**
   * Milliseconds within which a call of its providers has to answer; then it has failed, and what
   * it was to write is read again. Absent = 60 000.
   */
  readonly callTimeoutMs?: number;
}

/** A module that was loaded and checked. */
export interface LoadedPlugin {
  readonly name: string;
  /** As `--plugin` names it, for messages. */
  readonly given: string;
  /** Absolute path of its file. */
  readonly file: string;
  /**
   * Why its sources and provider types are not called, after `the plug-in acme (./acme.js) `.
   * Absent = they are.
   */
  readonly leftOff?: string;
}

/** `plug-in acme (./acme.js)`, as messages name it. */
export function pluginText({ name, given }: Pick<LoadedPlugin, "name" | "given">): string {
  return `plug-in ${name} (${given})`;
}
