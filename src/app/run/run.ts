/** placeholder */
import type { RunConfig } from "../../config/run-config.ts";
import type { ProgramContext } from "../cli/program.ts";
/** x */
export async function run(config: RunConfig, context: ProgramContext): Promise<void> {
  context.print(config.owner);
}
