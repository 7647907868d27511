/**
 * When a process of `run --once` may end: all changes are written and confirmed, or the rest waits
 * for a person. Reads the running instance; changes nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@zonekeeper/base/ports/log";
import { holdReason } from "../../../plan/hold-reasons.ts";
import { type PlanDocument, planVerdict } from "../../api/plan/document.ts";
import { planOf } from "../../api/plan-api.ts";
import type { Instance } from "../../compose/instance.ts";
import { EXIT } from "../process/exit.ts";

const ASK_AGAIN_MS = 250;
/** Milliseconds without progress after which the rest is unknown: a server may not answer. */
const PATIENCE_MS = 300_000;
/** Holds that end only after another change of an object: nothing is to be waited for. */
const FOLLOWING: ReadonlySet<string> = new Set(["NoTargets", "RenamedUnpublished"]);
/** Every zone and name, without a limit. */
export const WHOLE = { zone: null, name: null, limit: null } as const;

/** How to wait for a final state. */
export interface Settling<T> {
  readonly ask: () => Promise<T>;
  /** True = the state is final, if the next one is equal. */
  readonly isFinal: (seen: T) => boolean;
  /**
   * A text that changes with progress, which restarts the patience; absent = the patience is the
   * whole time.
   */
  readonly progress?: (seen: T) => string;
  readonly patienceMs: number;
}

/** Asks until two final states in a row are equal, or the patience is over; the last state. */
export async function settled<T>(settling: Settling<T>, signal?: AbortSignal): Promise<T> {
  const { ask, isFinal, progress = () => "", patienceMs } = settling;
  let last = "";
  let moved = "";
  let untilMs = Date.now() + patienceMs;
  for (;;) {
    const seen = await ask();
    const text = JSON.stringify(seen);
    if ((isFinal(seen) && text === last) || Date.now() > untilMs || signal?.aborted === true)
      return seen;
    last = text;
    const now = progress(seen);
    if (now !== moved) untilMs = Date.now() + patienceMs;
    moved = now;
    await sleep(ASK_AGAIN_MS);
  }
}

/** The work that is left undone. */
interface Rest {
  /** Why nothing is known now; null = the plan is known. */
  readonly waits: string | null;
  /** Changes that are not written, or not confirmed. */
  readonly open: number;
  /** Codes of held changes and of objects that cannot be published, once each. */
  readonly held: readonly string[];
  readonly unknown: number;
}

/**
 * Waits for the end, logs it, and answers the exit code: 0 all is written, 2 something is held, 1
 * something is not known.
 */
export async function endOfOnce(
  instanceNow: () => Instance | null,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  const rest = await settled(
    {
      ask: () => restOf(instanceNow()),
      isFinal: ({ waits, open, unknown, held }) =>
        waits === null && open + unknown === 0 && !held.some(passes),
      progress: ({ open, held }) => `${open} ${held.length}`,
      patienceMs: PATIENCE_MS,
    },
    signal,
  );
  const { waits, open, held, unknown } = rest;
  if (waits !== null || open + unknown > 0) {
    const reason = waits ?? "zonekeeper check says what cannot be read or written";
    log.error("once: not all is known", { reason, open, unknown });
    return EXIT.trouble;
  }
  if (held.length === 0) log.info("once: all is written");
  else log.warn("once: something is held; zonekeeper plan shows it", { codes: held.join(",") });
  return held.length === 0 ? EXIT.ok : EXIT.changes;
}

/** True = the hold ends by itself. */
function passes(code: string): boolean {
  return holdReason(code)?.resolvedBy === "nobody" && !FOLLOWING.has(code);
}

async function restOf(instance: Instance | null): Promise<Rest> {
  const waits = instance === null ? "it is starting" : (instance.standbyReply?.() ?? null);
  if (instance === null || waits !== null) return { waits, open: 0, held: [], unknown: 0 };
  const plan = await planOf(instance, WHOLE);
  const isPlanning = instance.work.zones().some((zone) => zone.isPlanning === true);
  return { waits: null, ...countedIn(plan, isPlanning) };
}

function countedIn(plan: PlanDocument, isPlanning: boolean): Omit<Rest, "waits"> {
  const { summary, unpublished = [], zones, dryRun = null } = plan;
  const { create, replace, remove, marker } = summary.counts;
  const changes = create + replace + remove + marker;
  const codes = [
    ...summary.held.map(({ code }) => code),
    ...unpublished.map(({ state }) => state),
    ...zones.flatMap(({ trouble = null }) => (trouble === null ? [] : ["Zone"])),
    ...(dryRun !== null && changes > 0 ? ["DryRun"] : []),
  ];
  return {
    open: dryRun === null ? changes : 0,
    held: [...new Set(codes)],
    unknown: planVerdict(plan).unknown + (isPlanning ? 1 : 0),
  };
}
