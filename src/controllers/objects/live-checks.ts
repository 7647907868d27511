/**
 * The condition `Live`, for objects that are Ready and annotated, or for all where `--live-check`
 * gives a budget: whether all name servers of the zone answer with what an object has published.
 * Asks within the budget of queries, one object after the other, annotated objects first. Changes
 * no record.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { type BackOffRange, steadyBackOffMs } from "@zonekeeper/base/timing/back-off";
import { TokenBucket } from "@zonekeeper/base/timing/token-bucket";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { LIVE_ANNOTATION } from "../../model/annotation-keys.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ContributionReport } from "../../sync/contract/contribution.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { type ConditionSpec, conditionIn } from "./conditions.ts";

/** Queries a minute where only annotated objects are asked about. */
const ANNOTATED_PER_MINUTE = 60;
/** Milliseconds between two tries while not every server answers as published. */
const TRIES: BackOffRange = { firstMs: 5_000, maxMs: 600_000 };

/** The published records of one name, which the servers are asked for. */
export interface LiveRequest {
  /**
   * Namespace of the object. From a namespace that is not trusted no internal address is asked
   * (Z-29).
   */
  readonly namespace: string;
  readonly zone: ZoneKey;
  readonly name: DnsName;
  readonly sets: readonly RecordSet[];
}

/** The condition that the answers of the servers lead to. */
export type LiveAnswer = Omit<ConditionSpec, "type">;

/**
 * The names to ask for, as a zone has published an object's generation; empty = it has not reported
 * on it.
 */
export function liveRequests(
  report: ContributionReport | null,
  generation: number,
): readonly LiveRequest[] {
  if (report === null || report.generation < generation) return [];
  const { zone, object, names } = report;
  const { namespace } = object;
  return names
    .filter(({ sets }) => sets.length > 0)
    .map(({ name, sets }) => ({ namespace, zone, name, sets }));
}

/**
 * Asks the servers of the zone. `take` resolves when one more query may be sent. Rejects with
 * OperationError only.
 */
export type AskLive = (request: LiveRequest, take: () => Promise<void>) => Promise<LiveAnswer>;

/** Everything that it works with. */
export interface LiveChecksOptions {
  readonly clock: Clock;
  /** Queries a minute for all objects; 0 = only annotated objects are asked about. */
  readonly queriesPerMinute: number;
  readonly ask: AskLive;
}

/** An object, and what is published of it. */
export interface LiveObject {
  /** For all clusters and kinds. */
  readonly id: string;
  readonly object: KubeObject;
  readonly isReady: boolean;
  /** Empty = not known in this process yet. */
  readonly requests: readonly LiveRequest[];
  /** Called when the condition is another one. */
  readonly again: () => void;
}

interface Known {
  readonly object: LiveObject;
  condition: ConditionSpec;
  failures: number;
  timer: Timer | null;
}

/** Runs until stopped. */
export class LiveChecks {
  readonly #options: LiveChecksOptions;
  readonly #budget: TokenBucket;
  readonly #stopped = new AbortController();
  readonly #known = new Map<string, Known>();
  /** Ids, in the order in which they came. */
  readonly #due = new Set<string>();
  #isAsking = false;

  constructor(options: LiveChecksOptions) {
    this.#options = options;
    const perMinute = options.queriesPerMinute || ANNOTATED_PER_MINUTE;
    const burst = Math.max(1, Math.ceil(perMinute / 6));
    this.#budget = new TokenBucket(options.clock, { perSecond: perMinute / 60, burst });
  }

  stop(): void {
    this.#stopped.abort();
    for (const id of [...this.#known.keys()]) this.forget(id);
  }

  forget(id: string): void {
    this.#known.get(id)?.timer?.cancel();
    this.#known.delete(id);
    this.#due.delete(id);
  }

  /**
   * The condition as it is known now; null = it is not asked for. Has the servers asked where
   * nothing is known about what is published now; `again` is called when they have answered.
   */
  conditionOf(live: LiveObject): ConditionSpec | null {
    const isWanted = this.#options.queriesPerMinute > 0 || isAnnotated(live.object);
    if (isWanted && live.isReady) return this.#conditionOfReady(live);
    this.forget(live.id);
    return isWanted ? WAITING : null;
  }

  #conditionOfReady(live: LiveObject): ConditionSpec {
    const { id, requests } = live;
    const known = this.#known.get(id);
    if (
      known !== undefined &&
      (requests.length === 0 || publishedText(known.object) === publishedText(live))
    )
      return known.condition;
    const condition = (known === undefined ? storedAnswer(live) : null) ?? ASKING;
    if (requests.length === 0) return condition;
    this.forget(id);
    this.#known.set(id, { object: live, condition, failures: 0, timer: null });
    if (condition === ASKING) this.#enqueue(id);
    return condition;
  }

  #enqueue(id: string): void {
    this.#due.add(id);
    if (!this.#isAsking) void this.#askAll();
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    for (let id = this.#next(); id !== null; id = this.#next()) {
      this.#due.delete(id);
      const known = this.#known.get(id);
      if (known !== undefined) await this.#ask(id, known);
    }
    this.#isAsking = false;
  }

  #next(): string | null {
    if (this.#stopped.signal.aborted) return null;
    const all = [...this.#due];
    const asked = all.find((id) => isAnnotated(this.#known.get(id)?.object.object));
    return asked ?? all[0] ?? null;
  }

  async #ask(id: string, known: Known): Promise<void> {
    const condition = await this.#answerOf(known.object);
    // Another generation may have come meanwhile, or the process stops.
    if (this.#known.get(id) !== known) return;
    known.condition = condition;
    known.failures = condition.status === "True" ? 0 : known.failures + 1;
    if (condition.status !== "True")
      known.timer = this.#options.clock.setTimer(steadyBackOffMs(TRIES, known.failures), () =>
        this.#enqueue(id),
      );
    known.object.again();
  }

  /** The first answer that is not True, else the last one. */
  async #answerOf({ requests }: LiveObject): Promise<ConditionSpec> {
    const take = () => this.#budget.take(this.#stopped.signal);
    let condition = ASKING;
    for (const request of requests) {
      condition = await this.#tried(request, take);
      if (condition.status !== "True") break;
    }
    return condition;
  }

  async #tried(request: LiveRequest, take: () => Promise<void>): Promise<ConditionSpec> {
    try {
      return { type: "Live", ...(await this.#options.ask(request, take)) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const { name } = request;
      const message = `${name}: its servers could not be asked: ${messageOf(error)}`;
      return { type: "Live", status: "Unknown", reason: error.code, message };
    }
  }
}

/** Reasons of the condition, beside the codes of errors. */
const LIVE_REASONS = {
  Asking: { meaning: "The servers of the zone are asked, within the budget of --live-check." },
  Answered: {
    meaning: "All servers of the zone answered with what is published, at the time in the message.",
  },
  NotAnswered: {
    meaning:
      "A server of the zone answers otherwise, or not at all; it is asked again. Look at the zone's transfers where it lasts.",
  },
  Propagating: {
    meaning:
      "The provider says that not all its servers have the last change yet; it is asked again.",
  },
  PropagationFailed: {
    meaning:
      "The provider accepted the last change and says that its servers did not take it; it is asked again. The message says what to do.",
  },
  NotComparable: {
    meaning: "The record sets of the object are not what a server answers with, such as aliases.",
  },
} as const;

/** A reason of a live check. */
export type LiveReason = keyof typeof LIVE_REASONS;

const ASKING: ConditionSpec = {
  type: "Live",
  status: "Unknown",
  reason: "Asking" satisfies LiveReason,
  message: "the servers of its zone are being asked",
};
const WAITING: ConditionSpec = {
  ...ASKING,
  reason: "NotPublished",
  message: "the servers of its zone are asked when it is Ready",
};

function isAnnotated(object: KubeObject | undefined): boolean {
  return object?.metadata.annotations?.[LIVE_ANNOTATION] === "true";
}

/** The published values, without TTLs. */
function publishedText({ requests }: LiveObject): string {
  return JSON.stringify(
    requests.map(({ zone, name, sets }) => [
      ...[zone.account, zone.zone, name],
      ...sets.map(({ type, setIdentifier, values }) => [type, setIdentifier, values]),
    ]),
  );
}

/**
 * The stored condition, where it is True and about this generation: a restart asks nothing again.
 */
function storedAnswer({ object }: LiveObject): ConditionSpec | null {
  const stored = conditionIn(fieldsOf(object["status"]), "Live");
  const isOfNow = stored?.["observedGeneration"] === object.metadata.generation;
  if (!isOfNow || stored?.["status"] !== "True") return null;
  const [reason, message] = [textOf(stored["reason"]), textOf(stored["message"])];
  return { type: "Live", status: "True", reason: reason ?? "Answered", message: message ?? "" };
}
