/** What `zonekeeper registry migrate` works with. Pure. */
import { type ClientConfig, toClientConfig } from "./client-config.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { oneOf } from "./shared-config.ts";

/** What is asked of the running instance. */
export interface MigrateConfig extends ClientConfig {
  /** As given; null = every zone. */
  readonly zone: string | null;
  /** Null = as the instance writes new ones. */
  readonly markerLocation: "typed" | "label" | null;
  readonly encrypt: boolean;
  /** False = only show. */
  readonly apply: boolean;
}

/** Everything is checked by the table already; the instance checks the zone. */
export function toMigrateConfig(options: ResolvedOptions): MigrateConfig {
  const markerLocation = options.text("to-layout");
  return {
    ...toClientConfig(options),
    zone: options.text("zone"),
    markerLocation: markerLocation === null ? null : oneOf(markerLocation, ["typed", "label"]),
    encrypt: options.flag("encrypt"),
    apply: options.flag("yes"),
  };
}
