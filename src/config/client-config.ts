/** What the commands that ask the running instance work with. Pure. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { oneOf } from "./shared-config.ts";

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
  /** Apex as it was given; null = everything. */
  readonly zone: string | null;
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
 * Fails unless one of `--zone` and `--all` is given: nobody pauses everything by leaving a word
 * out.
 */
export function toPauseOrder(
  options: ResolvedOptions,
): Result<PauseOrderConfig, readonly Problem[]> {
  const client = toClientConfig(options);
  const zone = options.text("zone");
  if (options.flag("all") !== (zone !== null)) return ok({ ...client, zone });
  const message = "give either --zone NAME or --all";
  return fail([{ code: "ConflictingOptions", subject: "--zone, --all", message }]);
}

/** For `plan`. */
export function toPlanView(options: ResolvedOptions): PlanViewConfig {
  const output = oneOf(options.needText("output"), ["text", "json", "markdown"]);
  const limit = options.optionalNumber("limit") ?? (output === "json" ? null : LISTED);
  return {
    ...toInstance(options),
    output,
    zone: options.text("zone"),
    name: options.text("name"),
    limit: options.flag("all") ? null : limit,
  };
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
  return { ...toInstance(options), output: oneOf(options.needText("output"), ["text", "json"]) };
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
