/** What `zonekeeper plan` and `explain` work with. Pure. */
import type { ResolvedOptions } from "./resolve-options.ts";
import { oneOf } from "./shared-config.ts";

/** How to reach the running instance and how to print. */
export interface ClientConfig {
  /** Path; address and token are there unless they are given. */
  readonly data: string;
  /** `http://HOST:PORT`; null = from the data folder. */
  readonly server: string | null;
  /** Path; null = from the data folder. */
  readonly apiTokenFile: string | null;
  readonly output: "text" | "json";
}

/** What `zonekeeper owner take` works with. */
export interface TakeConfig extends ClientConfig {
  /** Election domain. */
  readonly from: string;
  /** False = only show what would be written. */
  readonly confirm: boolean;
}

/** As `toClientConfig`. */
export function toTakeConfig(options: ResolvedOptions): TakeConfig {
  const from = options.needText("from");
  return { ...toClientConfig(options), from, confirm: options.flag("confirm") };
}

/** Everything is checked by the table already. */
export function toClientConfig(options: ResolvedOptions): ClientConfig {
  return {
    data: options.needText("data"),
    server: options.text("server"),
    apiTokenFile: options.text("api-token-file"),
    output: oneOf(options.needText("output"), ["text", "json"]),
  };
}
