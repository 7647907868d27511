/**
 * `registry migrate`: shows what rewriting the markers (the records that say whose a record is) in
 * another form would write, or has the running instance do it and waits. If this command is ended,
 * the instance goes on; if the instance is ended, give the command again.
 */
import type { MigrateConfig } from "../../../config/client-options.ts";
import { OPEN_NAMES_HEADER, STUCK_NAMES_HEADER } from "../../api/exchange.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import { ask, exitCodeOf, type Reply } from "./ask-instance.ts";

/** A request reads every name of ours; a million take long. */
const POST = { method: "POST", timeoutMs: 300_000 };
const POLL_MS = 500;
/** The command stops after this many polls in a row without progress. */
const UNCHANGED_POLLS_MAX = 60;

/**
 * Exit code 0: every marker has the form. 2: some do not yet. 1: some cannot have it, or a zone is
 * not known.
 */
export async function migrateMarkers(config: MigrateConfig): Promise<Answer> {
  const first = await ask(config, pathOf(config, config.apply), POST);
  if (!config.apply) return answer(first);
  return answer(await lastPoll(config, first));
}

/** Asks again until nothing is left to migrate, or there is no progress. */
async function lastPoll(config: MigrateConfig, first: Reply): Promise<Reply> {
  let last = first;
  for (let idle = 0; idle < UNCHANGED_POLLS_MAX && count(last, OPEN_NAMES_HEADER) > 0; idle++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const next = await ask(config, pathOf(config, false), POST);
    if (count(next, OPEN_NAMES_HEADER) < count(last, OPEN_NAMES_HEADER)) idle = 0;
    last = next;
  }
  return last;
}

function answer(reply: Reply): Answer {
  const { text, headers } = reply;
  const exitCode = exitCodeOf(headers);
  const isStuck = exitCode === EXIT.ok && count(reply, STUCK_NAMES_HEADER) > 0;
  return { text, exitCode: isStuck ? EXIT.trouble : exitCode };
}

function count({ headers }: Reply, header: string): number {
  return Number(headers.get(header) ?? 0);
}

function pathOf({ zone, markerLocation, encrypt }: MigrateConfig, apply: boolean): string {
  const query = new URLSearchParams({
    ...(zone === null ? {} : { zone }),
    ...(markerLocation === null ? {} : { layout: markerLocation }),
    encrypt: String(encrypt),
    apply: String(apply),
  });
  return `/api/v1/registry/migrate?${query}`;
}
