/**
 * Another group in the same real zone: a `zonekeeper run` of its own cluster and owner id that
 * changes, adds and removes records of its own all the time, and after each change asks dig
 * whether its records and markers are as it wrote them.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { account, entry } from "../values/cluster-objects.ts";
import type { RealZone } from "../values/real-zone.ts";
import { RunSession } from "./run-session.ts";

/** Its owner id. No other group of a test may have it. */
export const NEIGHBOUR = "neighbours";

/** Between two rounds; one takes about as long. */
const REST_MS = 250;
const ASK_EVERY_MS = 20;

/** Labels that are always there, sometimes there, or always there with another address. */
const KEPT = "kept";
const COMES = "comes";
const BUSY = "busy";
const LABELS = [KEPT, COMES, BUSY];

/** See above. */
export class BusyNeighbour {
  readonly #zone: RealZone;
  readonly #session: RunSession;
  /** Markers as they were written first, by label; they may not change. */
  readonly #markers = new Map<string, string>();
  #rounds = 0;
  #isStopping = false;
  #working: Promise<void> = Promise.resolve();
  #trouble: unknown = null;

  private constructor(zone: RealZone, session: RunSession) {
    this.#zone = zone;
    this.#session = session;
  }

  /** Starts its cluster and its process; it works when this has ended. */
  static async start(zone: RealZone): Promise<BusyNeighbour> {
    const session = await RunSession.open();
    const neighbour = new BusyNeighbour(zone, session);
    try {
      await session.run(NEIGHBOUR);
      await session.user.apply(account("zone", zone.server));
      await neighbour.#publish(KEPT, "192.0.2.100");
      await neighbour.#round();
    } catch (error) {
      await session.close();
      throw error;
    }
    neighbour.#working = neighbour.#work();
    return neighbour;
  }

  /**
   * Does something while it works: ends when the round that was under way at the end of it was
   * found right, too.
   */
  async during<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#rounds;
    const result = await act();
    const wanted = Math.max(before, this.#rounds) + 1;
    while (this.#rounds < wanted) {
      if (this.#trouble !== null) throw this.#trouble;
      await sleep(ASK_EVERY_MS);
    }
    return result;
  }

  /** Lines of `RealZone.content` that are not its own. */
  without(content: readonly string[]): readonly string[] {
    return content.filter((line) => !LABELS.some((label) => isAbout(line, this.#zone.name(label))));
  }

  /** Ends its round, then all that belongs to it; throws what was not as it wrote it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
    await this.#session.close();
    if (this.#trouble !== null) throw this.#trouble;
  }

  async #work(): Promise<void> {
    try {
      for (; !this.#isStopping; await sleep(REST_MS)) await this.#round();
    } catch (error) {
      this.#trouble = error;
    }
  }

  async #round(): Promise<void> {
    const address = `192.0.2.${101 + (this.#rounds % 100)}`;
    await this.#publish(COMES, address);
    await this.#publish(BUSY, address);
    await this.#session.user.delete("dnse", COMES);
    await this.#zone.becomes(COMES, "A");
    await this.#zone.becomes(`a-${COMES}`, "TXT");
    await this.#hasForm(BUSY, address);
    await this.#hasForm(KEPT, "192.0.2.100");
    this.#rounds += 1;
  }

  async #publish(label: string, address: string): Promise<void> {
    await this.#session.user.apply(entry(label, this.#zone.name(label), { targets: [address] }));
    await this.#zone.becomes(label, "A", address);
    await this.#hasForm(label, address);
  }

  /** By dig: the record and its one marker stand as this group wrote them. */
  async #hasForm(label: string, address: string): Promise<void> {
    const [marker = "none", ...more] = await this.#zone.answers(`a-${label}`, "TXT");
    const wanted = this.#markers.get(label) ?? marker;
    this.#markers.set(label, wanted);
    const shown = (await this.#zone.answers(label)).join();
    const isRight = marker === wanted && more.length === 0 && shown === address;
    if (!isRight || !marker.includes(`owner=${NEIGHBOUR},`))
      throw new Error(
        `${label} of ${NEIGHBOUR} shows ${shown} (${[marker, ...more].join(" | ")}) and not ${address} (${wanted})`,
      );
  }
}

/** At the name itself, or at a marker's name for it in any layout. */
function isAbout(line: string, name: string): boolean {
  const at = (line.split(" ")[0] ?? "").replace(/\.$/, "");
  return at === name || at.endsWith(`-${name}`) || at.endsWith(`.${name}`);
}
