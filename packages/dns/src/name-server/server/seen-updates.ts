/**
 * Remembers signed UPDATEs for as long as their signature counts. One that comes again, from a
 * client that lost the answer or from somebody who kept a copy, gets the answer of the first and
 * changes nothing: TSIG alone does not guard against a replay (RFC 8945 §11).
 */
import type { Rcode } from "../../wire/message/message.ts";
import { macBytesMin, type TsigKey, tsigFacts } from "../../wire/tsig/tsig-key.ts";
import type { TsigRecord } from "../../wire/tsig/tsig-record.ts";

/** Updates that are remembered, some 3 MB; beyond it the oldest are forgotten. */
const SEEN_MAX = 20_000;

interface Seen {
  readonly rcode: Promise<Rcode>;
  /** Unix seconds. */
  readonly untilSeconds: number;
}

/** The key that verified an UPDATE, and what it was signed with. */
export interface UpdateSignature {
  readonly key: TsigKey;
  readonly tsig: TsigRecord;
}

/** The updates that one server has seen since its start. */
export class SeenUpdates {
  readonly #bySignature = new Map<string, Seen>();

  /** The answer to the UPDATE with this signature; `carryOut` is called for the first only. */
  once(
    signature: UpdateSignature,
    nowSeconds: number,
    carryOut: () => Promise<Rcode>,
  ): Promise<Rcode> {
    for (const [old, { untilSeconds }] of this.#bySignature) {
      if (untilSeconds >= nowSeconds && this.#bySignature.size < SEEN_MAX) break;
      this.#bySignature.delete(old);
    }
    // The holder of a copy may truncate its MAC. The id has only the part that no allowed
    // truncation removes.
    const { key, tsig } = signature;
    const kept = tsig.mac.subarray(0, macBytesMin(tsigFacts(key.algorithm).macBytes));
    const id = `${key.name} ${tsig.timeSeconds} ${kept.join()}`;
    const seen = this.#bySignature.get(id);
    if (seen !== undefined) return seen.rcode;
    const rcode = carryOut();
    const untilSeconds = signature.tsig.timeSeconds + signature.tsig.fudgeSeconds;
    this.#bySignature.set(id, { rcode, untilSeconds });
    return rcode;
  }
}
