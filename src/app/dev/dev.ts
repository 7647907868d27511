/** placeholder */
import type { DevConfig } from "../../config/dev-config.ts";
import type { ProgramContext } from "../cli/program.ts";
/** x */
export async function dev(config: DevConfig, context: ProgramContext): Promise<void> {
  context.print(config.data);
}
