/** The values of the options of one command, as they were resolved. */
import { invariant } from "@zonekeeper/base/invariant";
import type { PluginOptions } from "../model/plugin-options.ts";
import type { OptionValue, PlugIns } from "./option.ts";

/**
 * Typed access to the values of one command. Asking for an option that the command lacks is a bug.
 */
export class ResolvedOptions {
  readonly #values: ReadonlyMap<string, OptionValue>;

  /** The plug-ins that the options could name. */
  readonly plugIns: PlugIns;

  /** What the user ought to know of what was given; one line each. */
  readonly remarks: readonly string[];

  constructor(
    values: ReadonlyMap<string, OptionValue>,
    plugIns: PlugIns,
    remarks: readonly string[] = [],
  ) {
    this.#values = values;
    this.plugIns = plugIns;
    this.remarks = remarks;
  }

  /** Null = not given and without a default. */
  text(name: string): string | null {
    const value = this.#value(name);
    invariant(value === null || typeof value === "string", `option ${name} is not a text`);
    return value;
  }

  /** A text that is required or has a default. */
  needText(name: string): string {
    const value = this.text(name);
    invariant(value !== null, `option ${name} has neither value nor default`);
    return value;
  }

  /** Integer, port or duration (ms) without a default; null = not given. */
  optionalNumber(name: string): number | null {
    return this.#value(name) === null ? null : this.number(name);
  }

  /** Integer, port or duration (ms), which all have defaults. */
  number(name: string): number {
    const value = this.#value(name);
    invariant(typeof value === "number", `option ${name} is not a number with a default`);
    return value;
  }

  /** One of the choices of its row, which the table has checked, as its literal type. */
  choice<const T extends string>(name: string, choices: readonly T[]): T {
    const value = this.needText(name);
    const found = choices.find((choice) => choice === value);
    invariant(found !== undefined, "the option table and its reader list the same choices");
    return found;
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    invariant(typeof value === "boolean", `option ${name} is not a flag`);
    return value;
  }

  /** Empty when not given and without a default. */
  list(name: string): readonly string[] {
    const value = this.#value(name) ?? [];
    invariant(Array.isArray(value), `option ${name} is not a list`);
    return value;
  }

  /** What plug-in modules added, by option name. */
  pluginOptions(): PluginOptions {
    const { options } = this.plugIns;
    return Object.fromEntries(options.map(({ name }) => [name, this.#value(name)]));
  }

  #value(name: string): OptionValue {
    const value = this.#values.get(name);
    invariant(value !== undefined, `option ${name} is not one of this command`);
    return value;
  }
}
