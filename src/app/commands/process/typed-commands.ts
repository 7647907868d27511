/**
 * Rewrites commands that texts advise to the form for people who reach the instance through
 * kubectl: in statuses, Events and log of an instance with `--api-port`, and in each answer that
 * `kubectl zonekeeper` shows. For text that people read, never for JSON. Pure.
 */
import { CLIENTS } from "../../../config/option.ts";
import { PLUGIN_NAME } from "./program-context.ts";

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
