/** Functions of CEL as tables. */
import type { Environment, RegisteredFunctionHandler } from "@marcbachmann/cel-js";

/** Functions by their signatures. */
export type CelFunctions = Readonly<Record<string, RegisteredFunctionHandler>>;

/** Adds them. */
export function registerAll(environment: Environment, functions: CelFunctions): void {
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run);
}
