/**
 * Answers as bytes, by the request without its id: the same question of another resolver is
 * answered without being read. An answer counts as long as its zone has the version it was made
 * from and no zone was added. Never for requests that are signed.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Rcode } from "../../wire/message/message.ts";
import type { HostedZone } from "../hosting/hosted-zone.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";
import type { Transport } from "./reply-writer.ts";

/** Strangers choose what they ask. 6 MB at worst. */
const ANSWERS_MAX = 4096;
/** Longer requests are made of options that rarely come again. */
const REQUEST_BYTES_MAX = 300;

/** What was asked, and how it came. */
export interface CacheRequest {
  readonly transport: Transport;
  /** At least twelve. */
  readonly bytes: Uint8Array;
}

/** One answer and what it rests on. */
export interface CachedAnswer {
  readonly rcode: Rcode;
  readonly bytes: Uint8Array;
  readonly zone: HostedZone;
  /** The zone's, when the answer was made. */
  readonly version: ZoneVersion;
}

/** The answers to questions that came lately. */
export class AnswerCache {
  readonly #answers = new BoundedMap<string, CachedAnswer>(ANSWERS_MAX);
  #zones = 0;

  /** The answer with the request's id; null = none is known. `zones` counts zones ever added. */
  find(request: CacheRequest, zones: number): Pick<CachedAnswer, "rcode" | "bytes"> | null {
    if (zones !== this.#zones) this.#forget(zones);
    const known = this.#answers.get(requestKey(request));
    if (known === undefined || known.zone.state.version !== known.version) return null;
    const bytes = known.bytes.slice();
    bytes[0] = request.bytes[0] ?? 0;
    bytes[1] = request.bytes[1] ?? 0;
    return { rcode: known.rcode, bytes };
  }

  /** Keeps an answer that depends on nothing but the request's bytes and the zone's version. */
  keep(request: CacheRequest, answer: CachedAnswer): void {
    if (request.bytes.length > REQUEST_BYTES_MAX) return;
    this.#answers.set(requestKey(request), answer);
  }

  #forget(zones: number): void {
    this.#answers.clear();
    this.#zones = zones;
  }
}

/** All bytes behind the id; longer requests have no answer here. */
function requestKey({ transport, bytes }: CacheRequest): string {
  if (bytes.length > REQUEST_BYTES_MAX) return "";
  return transport + String.fromCharCode(...bytes.subarray(2));
}
