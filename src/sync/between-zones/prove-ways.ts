/**
 * Proves that two ways (accounts) lead into one zone (Z-18): a fresh text is written through each
 * and read through the other. With a copy of the zone, a secondary or a forwarder this fails: what
 * is written there does not come into the zone.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { txtFromText } from "@zonekeeper/dns/rdata/txt";
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, Precondition } from "../../plan/changes.ts";
import { applyBatch } from "../calls/apply-batches.ts";
import { wayProofName } from "../contract/fence-record.ts";
import type { Way } from "../zone/way.ts";

/** What a proof works with. */
export interface ProofContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Owner id: other installations prove at names of their own. */
  readonly owner: string;
  /** False = nothing may be written any more. */
  readonly isInTime: () => boolean;
}

/** Milliseconds in which what was written has to be read. */
const PROOF_MS = 30_000;
/** Milliseconds between two reads. */
const STEP_MS = 1_000;
/** Seconds. */
const TTL_SECONDS = 60;

/** Why it is not proven. */
export interface Unproven {
  readonly message: string;
  /** Ways whose server answered that it does not write; a way without an answer is not listed. */
  readonly refused: readonly Way[];
}

/** Null = proven. Trouble with a provider is answered, never thrown. */
export async function proveWays(
  ways: readonly [Way, Way],
  context: ProofContext,
): Promise<Unproven | null> {
  const proofs = [new Proof(ways[0], context), new Proof(ways[1], context)] as const;
  try {
    const troubles: string[] = [];
    for (const proof of proofs) troubles.push(...(await proof.write()));
    const message = troubles[0] ?? (await readAcross(ways, proofs, context));
    const refused = ways.filter((_, at) => proofs[at]?.isRefused === true);
    return message === null ? null : { message, refused };
  } catch (error) {
    if (error instanceof OperationError) return { message: error.message, refused: [] };
    throw error;
  } finally {
    for (const proof of proofs) await proof.remove();
  }
}

async function readAcross(
  [one, other]: readonly [Way, Way],
  [ofOne, ofOther]: readonly [Proof, Proof],
  { clock, signal }: ProofContext,
): Promise<string | null> {
  const untilMs = clock.monotonicMs() + PROOF_MS;
  while (!signal.aborted) {
    const seen = await Promise.all([ofOne.isSeenBy(other), ofOther.isSeenBy(one)]);
    if (/* clause: every-way-reads-the-write */ seen.every((isSeen) => isSeen)) return null;
    if (clock.monotonicMs() >= untilMs)
      return `what is written at ${one.zone.endpoint} is not read at ${other.zone.endpoint} within ${PROOF_MS / 1000} s, or the other way round`;
    await sleep(clock, STEP_MS, signal);
  }
  return "the program ends";
}

/** The text of one way. */
class Proof {
  readonly #way: Way;
  readonly #context: ProofContext;
  readonly #name: DnsName | null;
  #written: RecordSet | null = null;
  #isRefused = false;

  constructor(way: Way, context: ProofContext) {
    this.#way = way;
    this.#context = context;
    this.#name = wayProofName(way.zone.name, `${context.owner} ${way.id}`);
  }

  /** The server answered that it does not write this. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Why it is not written; empty = it is. What an earlier proof left is replaced. */
  async write(): Promise<readonly string[]> {
    const name = this.#name;
    if (name === null) return ["the name of the proof would be too long"];
    const { session, zone } = this.#way;
    const { minSeconds, maxSeconds } = session.capabilities.ttl;
    const set: RecordSet = {
      name,
      type: "TXT",
      setIdentifier: null,
      ttlSeconds: Math.min(maxSeconds, Math.max(minSeconds, TTL_SECONDS)),
      values: [txtFromText(`v=1;way=${this.#context.random.uuid()}`)],
      properties: {},
      routingPolicy: null,
    };
    const next = session.normalize(set, zone);
    const [previous] = await this.#readThrough(this.#way);
    const change: Change =
      previous === undefined ? { op: "create", next } : { op: "replace", previous, next };
    const trouble = await this.#apply(change);
    if (trouble === null) this.#written = next;
    const at = this.#way.zone.endpoint;
    return trouble === null ? [] : [`${name} TXT cannot be written at ${at}: ${trouble}`];
  }

  /** Whether this very text is read through another way. */
  async isSeenBy(way: Way): Promise<boolean> {
    const sets = await this.#readThrough(way);
    return sets.some(({ values }) => values.join() === this.#written?.values.join());
  }

  /** What cannot be removed now stays until the next proof replaces it. */
  async remove(): Promise<void> {
    if (this.#written === null) return;
    try {
      await this.#apply({ op: "remove", previous: this.#written });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
    }
  }

  async #apply(change: Change): Promise<string | null> {
    const { session, zone, budget } = this.#way;
    const { signal, isInTime } = this.#context;
    const call = { session, zone, signal, budget, isDue: isInTime };
    const precondition: Precondition =
      change.op === "create"
        ? { is: "absent", key: { name: change.next.name, type: "TXT", setIdentifier: null } }
        : { is: "exact", set: change.previous };
    const name = "next" in change ? change.next.name : change.previous.name;
    const preconditions = [precondition];
    const [result] = await applyBatch(call, [{ name, keys: [], changes: [change], preconditions }]);
    if (result?.outcome.status === "applied") return null;
    this.#isRefused = result?.outcome.status === "rejected";
    return result?.outcome.message ?? "the term of this writer is over";
  }

  async #readThrough({ session, zone, budget }: Way): Promise<readonly RecordSet[]> {
    if (this.#name === null) return [];
    await budget.read();
    const content = await session.records(zone, [this.#name], this.#context.signal);
    return content.sets.filter(({ name, type }) => name === this.#name && type === "TXT");
  }
}
