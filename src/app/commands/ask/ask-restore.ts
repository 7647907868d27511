/** `restore`: creates deleted objects again, through the running instance. */
import type { ClientConfig } from "../../../config/client-options.ts";
import { OPEN_NAMES_HEADER } from "../../api/api-headers.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import { ask } from "./ask-instance.ts";

/** Many objects are created one by one. */
const TIMEOUT_MS = 120_000;

/**
 * Exit code of the preview: 2 when something would be created, else 0. Doing: 1 when something
 * could not be created. Throws OperationError `InstanceRefused` for a hash that nobody holds.
 */
export async function askRestore(
  config: ClientConfig,
  hash: string,
  isDoing: boolean,
): Promise<Answer> {
  const path = `/api/v1/restore/${encodeURIComponent(hash)}`;
  const method = isDoing ? "POST" : "GET";
  const { text, headers } = await ask(config, path, { method, timeoutMs: TIMEOUT_MS });
  if (Number(headers.get(OPEN_NAMES_HEADER) ?? 0) === 0) return { text, exitCode: EXIT.ok };
  return { text, exitCode: isDoing ? EXIT.trouble : EXIT.changes };
}
