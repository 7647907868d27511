/**
 * Options of the commands that ask a running instance. Rows of the one table (options-table.ts).
 */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

/** The commands that ask a running instance. */
export const CLIENTS: readonly CommandName[] = [
  "plan",
  "explain",
  "approve",
  "pause",
  "registry migrate",
  "owner take",
  "ownership",
];

/** Of `kubectl zonekeeper` only: it looks for the instance in a cluster, as kubectl would. */
const OF_PLUGIN: ReadonlySet<string> = new Set(["kubeconfig", "context", "namespace", "selector"]);
/** Of `zonekeeper` only: it asks an instance that it can reach itself. */
const OF_PROGRAM: ReadonlySet<string> = new Set(["data", "server", "api-token-file"]);

/** Whether the command takes the option under the name by which the program was called. */
export function isTaken(option: string, command: CommandName, isPlugin: boolean): boolean {
  return !CLIENTS.includes(command) || !(isPlugin ? OF_PROGRAM : OF_PLUGIN).has(option);
}

/** In the order of the help text. */
export const CLIENT_OPTIONS: readonly Option[] = [
  option({
    name: "server",
    type: "text",
    doc: "Address of the running instance, http://HOST:PORT. Default: from the data folder.",
    commands: CLIENTS,
  }),
  option({
    name: "api-token-file",
    type: "text",
    doc: "File with the token of the local API. Default: from the data folder.",
    docFor: {
      run: "File with the token of the API, at least 16 characters. For --api-port it is read for each request and may come later or change; default /var/run/zonekeeper/api/token. Without --api-port: default, one is made and kept in the data folder; without both there is no local API.",
    },
    commands: ["run", ...CLIENTS],
  }),
  option({
    name: "context",
    type: "text",
    doc: "Context of the kubeconfig. Default: its current-context.",
    commands: CLIENTS,
  }),
  option({
    name: "selector",
    type: "text",
    default: "app.kubernetes.io/name=zonekeeper",
    doc: "Labels of the installation's Pods, for where there are several.",
    commands: CLIENTS,
  }),
  option({
    name: "output",
    type: "choice",
    default: "text",
    choices: ["text", "json"],
    choicesFor: { plan: ["text", "json", "markdown"] },
    doc: "text for people, json for programs.",
    docFor: {
      plan: "text for people, json for programs, markdown for a comment on a pull request.",
    },
    commands: ["check", ...CLIENTS],
  }),
  option({
    name: "wait",
    type: "duration",
    default: "0",
    min: 0,
    max: 3_600_000,
    doc: "Look again every two seconds while not all is well, for so long.",
    commands: ["check"],
  }),
  option({
    name: "name",
    type: "text",
    doc: "Show what lies at this name or below it only.",
    commands: ["plan"],
  }),
  option({
    name: "limit",
    type: "integer",
    min: 0,
    max: 1_000_000,
    unit: "changes",
    doc: "How many changes are listed; the summary counts all of them. Default: 40, in json all.",
    commands: ["plan"],
  }),
  option({
    name: "all",
    type: "flag",
    default: "false",
    doc: "All of them.",
    docFor: {
      plan: "List every change.",
      pause: "All zones, not a single one.",
    },
    commands: ["plan", "pause"],
  }),
];
