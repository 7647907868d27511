/** What `zonekeeper check` looks at: the configuration of `run`. Pure. */
import { ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { type RunConfig, toRunConfig } from "./run-config.ts";
import { oneOf } from "./shared-config.ts";

/** See the head of this file. */
export interface CheckConfig {
  readonly run: RunConfig;
  readonly output: "text" | "json";
  /** How long it looks again while not all is well. */
  readonly waitMs: number;
}

/** Fails where `run` would not start. */
export function toCheckConfig(options: ResolvedOptions): Result<CheckConfig, readonly Problem[]> {
  const run = toRunConfig(options);
  if (!run.ok) return run;
  return ok({
    run: run.value,
    output: oneOf(options.needText("output"), ["text", "json"]),
    waitMs: options.number("wait"),
  });
}
