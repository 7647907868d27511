/**
 * The commands that an instance advises, as who asks through kubectl types them: an instance does
 * not know by which way it is asked. For text that people read, never for JSON. Pure.
 */
import { CLIENTS } from "../../../../config/client-options.ts";
import { PLUGIN_NAME } from "../../process/program-context.ts";

/** Commands that ask an instance; the last ones have the options of another one. */
const COMMANDS = [...CLIENTS, "restore", "resume", "transfer"];

const COMMAND = new RegExp(
  `(?<!kubectl[ -]|[/.])\\bzonekeeper (?=(?:${COMMANDS.join("|")})\\b)`,
  "g",
);

/** `zonekeeper approve …` is `kubectl zonekeeper approve …`. */
export function asTypedInKubectl(text: string): string {
  return text.replaceAll(COMMAND, `${PLUGIN_NAME} `);
}
