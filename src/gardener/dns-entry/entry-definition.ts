/**
 * The definition of DNSEntries, for entries that end (Z-2): asked past every cache, and not for
 * each of a thousand entries.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import { definitionIn } from "../../controllers/objects/kind-definition.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

/** An answer counts for so many milliseconds. */
const ANSWER_MS = 1_000;

interface DefinitionPorts {
  readonly view: Pick<ClusterView, "clusterId">;
  readonly writer: ObjectReader;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** One for each controller of DNSEntries. */
export class EntryDefinition {
  readonly #ports: DefinitionPorts;
  #askedMs = Number.NEGATIVE_INFINITY;
  #answer = Promise.resolve();
  /** By the last answer it is being deleted, or gone. What cannot be read stands. */
  isEnding = false;

  constructor(ports: DefinitionPorts) {
    this.#ports = ports;
  }

  /** Asks, unless an answer still counts. Never rejects for want of one. */
  ask(): Promise<void> {
    const nowMs = this.#ports.clock.monotonicMs();
    if (nowMs >= this.#askedMs + ANSWER_MS) {
      this.#askedMs = nowMs;
      this.#answer = this.#read();
    }
    return this.#answer;
  }

  async #read(): Promise<void> {
    const { view, writer } = this.#ports;
    const { state } = await definitionIn({ view, kind: DNS_ENTRY, reader: writer });
    this.isEnding = state === "ends";
  }
}
