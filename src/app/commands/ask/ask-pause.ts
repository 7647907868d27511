/** `pause` and `resume`: orders to the running instance over its local HTTP API. */
import type { PauseOrderConfig } from "../../../config/client-options.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import { ask } from "./ask-instance.ts";

/**
 * Carries it out and says what is paused now. Throws OperationError `InstanceRefused` with the
 * reason.
 */
export async function askPause(config: PauseOrderConfig, act: "pause" | "resume"): Promise<Answer> {
  const query = config.zone === null ? "all=true" : `zone=${encodeURIComponent(config.zone)}`;
  const { text } = await ask(config, `/api/v1/${act}?${query}`, { method: "POST" });
  return { text, exitCode: EXIT.ok };
}
