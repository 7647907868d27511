/**
 * Tells secondaries that a zone has changed (RFC 1996). There is one announcement at a time for
 * each zone and secondary. A change during an announcement is announced after it, so a burst of
 * changes costs a few messages. Knows no zones beyond name and SOA.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Datagram, SocketAddress } from "@zonekeeper/base/ports/net";
import type { Random } from "@zonekeeper/base/ports/random";
import type { DnsName } from "../../names/dns-name.ts";
import { notifyMessage } from "../../wire/message/compose.ts";
import { decodeMessage } from "../../wire/message/decode-message.ts";
import { encodeMessage } from "../../wire/message/encode-message.ts";
import type { Message, ResourceRecord } from "../../wire/message/message.ts";
import { TsigClient } from "../../wire/tsig/tsig-client.ts";
import type { TsigKey } from "../../wire/tsig/tsig-key.ts";

/** A secondary server of the zones. */
export interface Secondary {
  /** An IP address: the answer must come from there. */
  readonly address: SocketAddress;
  /** Signs the NOTIFY; null = unsigned. */
  readonly key: TsigKey | null;
}

/**
 * Patience with a secondary that does not answer. RFC 1996 §3.6 proposes more; a refresh repairs
 * what is lost.
 */
export interface NotifyLimits {
  /** Milliseconds until the first repetition; doubled each time. */
  readonly retryFirstMs: number;
  /** Messages for one announcement. */
  readonly triesMax: number;
  /** Milliseconds between the end of an announcement and the next one to the same secondary. */
  readonly gapMs: number;
}

/** 1, 2, 4, 8 and 16 seconds. */
export const NOTIFY_LIMITS: NotifyLimits = { retryFirstMs: 1000, triesMax: 6, gapMs: 100 };

/** What a notifier works with. */
export interface NotifierOptions {
  readonly secondaries: readonly Secondary[];
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly limits?: NotifyLimits;
  /** Sends a datagram from the address on which the server listens: secondaries know it by that. */
  readonly send: (to: SocketAddress, bytes: Uint8Array) => Promise<void>;
}

/** One zone at one secondary. */
interface Announcement {
  readonly zone: DnsName;
  readonly secondary: Secondary;
  /** The newest SOA; the NOTIFY under way may carry an older one. */
  soa: ResourceRecord;
  /** True = `soa` was not announced yet. */
  isDue: boolean;
  /** The NOTIFY that waits for its answer; null = none is under way. */
  open: OpenNotify | null;
  /** Runs until the next repetition or the end of the gap; null = neither is ahead. */
  timer: Timer | null;
}

interface OpenNotify {
  readonly id: number;
  readonly tsig: TsigClient | null;
  readonly tries: number;
}

/** Sends the announcements of one server. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #limits: NotifyLimits;
  readonly #announcements = new Map<string, Announcement>();
  #isStopped = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#limits = options.limits ?? NOTIFY_LIMITS;
  }

  /**
   * The zone has this SOA now: every secondary gets a NOTIFY, at once or after the announcement
   * under way.
   */
  changed(zone: DnsName, soa: ResourceRecord): void {
    if (this.#isStopped) return;
    for (const [index, secondary] of this.#options.secondaries.entries()) {
      const key = `${index} ${zone}`;
      const fresh = { zone, secondary, soa, isDue: true, open: null, timer: null };
      const announcement = this.#announcements.get(key) ?? fresh;
      this.#announcements.set(key, announcement);
      announcement.soa = soa;
      announcement.isDue = true;
      if (announcement.open === null && announcement.timer === null) this.#begin(announcement);
    }
  }

  /** Takes the answer to a NOTIFY; other messages are ignored. */
  receive({ from, bytes }: Datagram): void {
    const id = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
    const found = [...this.#announcements.values()].find(
      ({ open, secondary: { address } }) =>
        open?.id === id && address.host === from.host && address.port === from.port,
    );
    const answer = found?.open == null ? null : this.#believed(found.open, bytes);
    if (found === undefined || answer === null) return;
    if (answer.rcode !== "NOERROR")
      this.#options.log.warn("secondary refuses NOTIFY", { ...about(found), rcode: answer.rcode });
    this.#end(found);
  }

  /** Ends all announcements; nothing is sent afterwards. */
  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#announcements.values()) timer?.cancel();
    this.#announcements.clear();
  }

  #begin(announcement: Announcement): void {
    announcement.isDue = false;
    this.#try(announcement, 1);
  }

  /** A new id and signature for each try: the time of signing must be fresh (RFC 8945 §5.2.3). */
  #try(announcement: Announcement, tries: number): void {
    const { clock, crypto, random } = this.#options;
    const { zone, soa, secondary } = announcement;
    const [high = 0, low = 0] = random.bytes(2);
    const id = (high << 8) | low;
    const message = encodeMessage(notifyMessage({ id, zone, soa }));
    const tsig = secondary.key === null ? null : new TsigClient(secondary.key, crypto);
    announcement.open = { id, tsig, tries };
    announcement.timer = clock.setTimer(this.#limits.retryFirstMs * 2 ** (tries - 1), () =>
      this.#silent(announcement, tries),
    );
    void this.#send(announcement, tsig?.sign(message, this.#nowSeconds()) ?? message);
  }

  #silent(announcement: Announcement, tries: number): void {
    if (tries < this.#limits.triesMax) {
      this.#try(announcement, tries + 1);
      return;
    }
    this.#options.log.warn("secondary does not answer NOTIFY", about(announcement));
    this.#end(announcement);
  }

  /** Ends an announcement. A change that came meanwhile is announced after the gap. */
  #end(announcement: Announcement): void {
    announcement.open = null;
    announcement.timer?.cancel();
    announcement.timer = this.#options.clock.setTimer(this.#limits.gapMs, () => {
      announcement.timer = null;
      if (announcement.isDue) this.#begin(announcement);
    });
  }

  /** The answer to this NOTIFY; null = it is another message, or its signature does not verify. */
  #believed({ tsig }: OpenNotify, bytes: Uint8Array): Message | null {
    const verdict = tsig?.verify(bytes, this.#nowSeconds()) ?? {
      status: "verified",
      message: bytes,
    };
    if (verdict.status !== "verified") {
      this.#options.log.debug("answer to NOTIFY is not believed", { status: verdict.status });
      return null;
    }
    const decoded = decodeMessage(verdict.message);
    return decoded.ok && decoded.value.response && decoded.value.opcode === "NOTIFY"
      ? decoded.value
      : null;
  }

  async #send(announcement: Announcement, bytes: Uint8Array): Promise<void> {
    try {
      await this.#options.send(announcement.secondary.address, bytes);
    } catch (error) {
      const details = { ...about(announcement), error: messageOf(error) };
      this.#options.log.debug("NOTIFY could not be sent", details);
    }
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.clock.nowMs() / 1000);
  }
}

/** For logs. */
function about({ zone, secondary }: Announcement): { readonly zone: string; readonly to: string } {
  return { zone, to: `${secondary.address.host}:${secondary.address.port}` };
}
