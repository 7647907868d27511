/**
 * The commands that ask a running instance: rows of the table, and as they are read. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../model/problem.ts";
import { CLIENTS, type CommandName } from "./option.ts";
import { choice, duration, flag, integer, RUN, rows, text } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

/** Of `kubectl zonekeeper` only: it looks for the instance in a cluster, as kubectl would. */
const OF_PLUGIN: ReadonlySet<string> = new Set(["kubeconfig", "context", "namespace", "selector"]);
/** Of `zonekeeper` only: it asks an instance that it can reach itself. */
const OF_PROGRAM: ReadonlySet<string> = new Set(["data", "server", "api-token-file"]);

/** Whether the command takes the option under the name by which the program was called. */
export function isTaken(option: string, command: CommandName, isPlugin: boolean): boolean {
  return !CLIENTS.includes(command) || !(isPlugin ? OF_PROGRAM : OF_PLUGIN).has(option);
}

const MIGRATE: readonly CommandName[] = ["registry migrate"];
const TAKE: readonly CommandName[] = ["owner take"];
const SHADOW: readonly CommandName[] = ["shadow"];
const HOUR_MS = 3_600_000;

/** In the order of the help text. */
export const CLIENT_OPTIONS = rows(CLIENTS, {
  "to-layout": choice(
    ["typed", "label"],
    "The layout that ownership TXT records are brought to. Default: what the running instance writes there.",
    { commands: MIGRATE },
  ),
  encrypt: flag(
    "Encrypt them, also where new ones are plain. The running instance must have the key.",
    { commands: MIGRATE },
  ),
  from: text(
    "Election domain of the installation that the owner id is taken from, as zonekeeper plan names it.",
    { requiredBy: TAKE, commands: TAKE },
  ),
  yes: flag("Do it. Without it the command only shows what it would write.", {
    docFor: {
      "registry migrate":
        "Do it, and wait until it is done. Without it the command only shows what it would write.",
    },
    commands: [...TAKE, ...MIGRATE],
  }),
  server: text("Address of the running instance, http://HOST:PORT. Default: from the data folder."),
  "api-token-file": text("File with the token of the local API. Default: from the data folder.", {
    docFor: {
      run: "File with the token of the API, at least 16 characters. For --api-port it is read for each request and may come later or change; default /var/run/zonekeeper/api/token. Without --api-port: default, one is made and kept in the data folder; without both there is no local API.",
    },
    commands: [...RUN, ...CLIENTS],
  }),
  context: text("Context of the kubeconfig. Default: its current-context."),
  selector: text("Labels of the installation's Pods, for where there are several.", {
    default: "app.kubernetes.io/name=zonekeeper",
  }),
  output: choice(["text", "json"], "text for people, json for programs.", {
    default: "text",
    choicesFor: { plan: ["text", "json", "markdown"] },
    docFor: {
      plan: "text for people, json for programs, markdown for a comment on a pull request.",
    },
    commands: ["check", "shadow", ...CLIENTS],
  }),
  wait: duration("Look again every two seconds while not all is well, for so long.", {
    default: "0",
    docFor: { shadow: "How long clusters and zones may take to be read." },
    defaultFor: { shadow: "1m" },
    min: 0,
    max: HOUR_MS,
    commands: ["check", "shadow"],
  }),
  deployment: text(
    "Deployment NAMESPACE/NAME of a running external-dns, whose arguments, environment and mounted files are taken.",
    { commands: SHADOW },
  ),
  container: text(
    "Container of the Deployment. Default: the one whose arguments name a --provider.",
    { commands: SHADOW },
  ),
  name: text("Show what lies at this name or below it only.", {
    docFor: { pause: "The single name that is paused or resumed." },
    commands: ["plan", "pause"],
  }),
  limit: integer(
    "How many changes are listed; the summary counts all of them. Default: 40, in json all.",
    {
      docFor: { history: "How many changes are shown, the newest first. Default: 40." },
      ...{ unit: "changes", min: 0, max: 1_000_000, commands: ["plan", "history"] },
    },
  ),
  since: duration("Show changes of the last hours, minutes … only. Default: all that are kept.", {
    docFor: { undo: "Undo all changes of the last hours, minutes …" },
    ...{ min: 1_000, max: 30 * 24 * HOUR_MS, commands: ["history", "undo"] },
  }),
  all: flag("All of them.", {
    docFor: { plan: "List every change.", pause: "All zones, not a single one." },
    commands: ["plan", "pause"],
  }),
});

/** An instance that runs in a cluster, and how to reach that. */
export interface ClusterDoorConfig {
  /** Path; null = as kubectl finds it. */
  readonly kubeconfig: string | null;
  /** Null = the current one. */
  readonly context: string | null;
  /** Null = any. */
  readonly namespace: string | null;
  /** Label selector of the Pods. */
  readonly selector: string;
}

/** How to reach the running instance and how to print. */
export interface ClientConfig {
  /** Path; address and token are there unless they are given. Null = it is in a cluster. */
  readonly data: string | null;
  /** `http://HOST:PORT`; null = from the data folder. */
  readonly server: string | null;
  /** Path; null = from the data folder. */
  readonly apiTokenFile: string | null;
  /** Where `data` is null. */
  readonly cluster?: ClusterDoorConfig | null;
  readonly output: "text" | "json";
}

/** What `pause` and `resume` work with. */
export interface PauseOrderConfig extends ClientConfig {
  /** Apex as it was given; null without a name = everything. */
  readonly zone: string | null;
  /** As it was given; null = no single name. */
  readonly name: string | null;
}

/** What `plan` works with. */
export interface PlanViewConfig extends Omit<ClientConfig, "output"> {
  readonly output: ClientConfig["output"] | "markdown";
  /** Null = all zones. */
  readonly zone: string | null;
  /** Null = all names. */
  readonly name: string | null;
  /** Changes that are listed; null = every one. */
  readonly limit: number | null;
}

/** Changes that people are shown at first. */
const LISTED = 40;

/**
 * Fails unless one of `--zone`, `--name` and `--all` is given: nobody pauses everything by leaving
 * a word out.
 */
export function toPauseOrder(
  options: ResolvedOptions,
): Result<PauseOrderConfig, readonly Problem[]> {
  const client = toClientConfig(options);
  const zone = options.text("zone");
  const name = options.text("name");
  const given = [zone !== null, name !== null, options.flag("all")].filter(Boolean);
  if (given.length === 1) return ok({ ...client, zone, name });
  const message = "give either --zone NAME, --name NAME or --all";
  return fail([{ code: "ConflictingOptions", subject: "--zone, --name, --all", message }]);
}

/** For `plan`. */
export function toPlanView(options: ResolvedOptions): PlanViewConfig {
  const output = options.choice("output", ["text", "json", "markdown"]);
  const limit = options.optionalNumber("limit") ?? (output === "json" ? null : LISTED);
  return {
    ...toInstance(options),
    output,
    zone: options.text("zone"),
    name: options.text("name"),
    limit: options.flag("all") ? null : limit,
  };
}

/** What `history` works with. */
export interface HistoryViewConfig extends ClientConfig {
  /** Null = all zones. */
  readonly zone: string | null;
  /** Milliseconds until now; null = all that are kept. */
  readonly sinceMs: number | null;
  readonly limit: number;
}

/** Everything is checked by the table already; the instance checks names. */
export function toHistoryView(options: ResolvedOptions): HistoryViewConfig {
  return {
    ...toClientConfig(options),
    zone: options.text("zone"),
    sinceMs: options.optionalNumber("since"),
    limit: options.optionalNumber("limit") ?? LISTED,
  };
}

/** What `undo` works with. */
export interface UndoConfig extends ClientConfig {
  /** Null = all zones. */
  readonly zone: string | null;
  /** Milliseconds until now; null = of any time. */
  readonly agoMs: number | null;
  /** Null = of all names. */
  readonly name: string | null;
  /** Null = of no approved set. */
  readonly hash: string | null;
}

/** `what`: a DNS name or a hash; empty = neither. Fails where nothing says which changes. */
export function toUndoConfig(
  options: ResolvedOptions,
  what: string,
): Result<UndoConfig, readonly Problem[]> {
  const agoMs = options.optionalNumber("since");
  const isHash = /^[0-9a-f]{16}$/.test(what);
  const [name, hash] = isHash ? [null, what] : [what || null, null];
  const zone = options.text("zone");
  if (what !== "" || agoMs !== null)
    return ok({ ...toClientConfig(options), zone, agoMs, name, hash });
  const message = "give a name, the hash of an approved set, or --since: which changes to undo";
  return fail([{ code: "ConflictingOptions", subject: "NAME, HASH, --since", message }]);
}

/** What `zonekeeper owner take` works with. */
export interface TakeConfig extends ClientConfig {
  /** Election domain. */
  readonly from: string;
  /** False = only show what would be written. */
  readonly confirm: boolean;
}

/** As `toClientConfig`. */
export function toTakeConfig(options: ResolvedOptions): TakeConfig {
  const from = options.needText("from");
  return { ...toClientConfig(options), from, confirm: options.flag("yes") };
}

/** What all of them have but `plan`. Everything is checked by the table already. */
export function toClientConfig(options: ResolvedOptions): ClientConfig {
  return { ...toInstance(options), output: options.choice("output", ["text", "json"]) };
}

function toInstance(options: ResolvedOptions): Omit<ClientConfig, "output"> {
  const selector = options.text("selector");
  return {
    data: options.text("data"),
    server: options.text("server"),
    apiTokenFile: options.text("api-token-file"),
    cluster:
      selector === null
        ? null
        : {
            kubeconfig: options.text("kubeconfig"),
            context: options.text("context"),
            namespace: options.text("namespace"),
            selector,
          },
  };
}

/** What `registry migrate` asks of the running instance. */
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
  return {
    ...toClientConfig(options),
    zone: options.text("zone"),
    markerLocation:
      options.text("to-layout") === null ? null : options.choice("to-layout", ["typed", "label"]),
    encrypt: options.flag("encrypt"),
    apply: options.flag("yes"),
  };
}
