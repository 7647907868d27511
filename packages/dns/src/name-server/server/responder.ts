/**
 * From the bytes of a request to the bytes of its answer: verifies the signature, checks the rights
 * and calls the part that answers. No sockets here. Every right is decided in this file.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import { mapOk } from "@zonekeeper/base/result";
import { isMetaType } from "../../rdata/type-numbers.ts";
import { WireReader } from "../../wire/bytes/wire-reader.ts";
import { responseTo } from "../../wire/message/compose.ts";
import { decodeMessage } from "../../wire/message/decode-message.ts";
import type { Message, Question, Rcode, ResourceRecord } from "../../wire/message/message.ts";
import { transferMessages } from "../../wire/transfer/transfer-writer.ts";
import { checkRequest } from "../../wire/tsig/tsig-server.ts";
import type { HostedZone } from "../hosting/hosted-zone.ts";
import type { ZoneTable } from "../hosting/zone-table.ts";
import { answerQuestion } from "../query/answer.ts";
import { allRecords, recordsSince, serialHeld } from "../transfer/transfer-out.ts";
import { updatedZone } from "../update/evaluate-update.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";
import type { KeyRing } from "./key-ring.ts";
import {
  bareReply,
  type Exchange,
  HEADER_BYTES,
  keyNameOf,
  sign,
  type Transport,
  UDP_BYTES_MAX,
  writeReply,
} from "./reply-writer.ts";
import { SeenUpdates } from "./seen-updates.ts";

/** Called for each answer, except for answers to requests that cannot be read. */
export type OnAnswer = (kind: "query" | "update", rcode: Rcode) => void;

/** What a responder works with. */
export interface ResponderOptions {
  readonly zones: ZoneTable;
  readonly keys: KeyRing;
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly onAnswer: OnAnswer;
}

/**
 * The messages of an answer, in order; none = the request is not answered. Each is made when it is
 * read.
 */
export type Reply = Iterable<Uint8Array>;

const EDNS_VERSION = 0;
const ANSWERED_META_TYPES: ReadonlySet<string> = new Set(["ANY", "AXFR", "IXFR"]);

/** Answers requests. Any number may be under way at once. */
export class Responder {
  readonly #options: ResponderOptions;
  readonly #seen = new SeenUpdates();
  readonly #answers = new AnswerCache();

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** Never rejects for anything that a client sent. An UPDATE resolves when it is durable. */
  async respond(bytes: Uint8Array, transport: Transport): Promise<Reply> {
    // Two servers that answered answers would send messages to each other for ever.
    const isResponse = ((bytes[2] ?? 0) & 0x80) !== 0;
    if (bytes.length < HEADER_BYTES || isResponse) return [];
    const { zones, onAnswer } = this.#options;
    const known = this.#answers.find({ transport, bytes }, zones.added);
    if (known !== null) {
      onAnswer("query", known.rcode);
      return [known.bytes];
    }
    return this.#judge(bytes, transport);
  }

  /** Who asks, and whether the request can be read. */
  async #judge(bytes: Uint8Array, transport: Transport): Promise<Reply> {
    const { keys, crypto, clock } = this.#options;
    const nowSeconds = (): number => Math.floor(clock.nowMs() / 1000);
    const verdict = checkRequest(bytes, {
      crypto,
      nowSeconds: nowSeconds(),
      keyOf: (name) => keys.key(name),
    });
    // RFC 8945 §5.2: the signature is judged on the bytes, before anything in them is believed.
    if (verdict.status === "malformed") return [bareReply(bytes, "FORMERR")];
    const signer = verdict.status === "unsigned" ? null : verdict.signer;
    const signature = verdict.status === "verified" ? verdict : null;
    const exchange: Exchange = { transport, bytes, signer, signature, nowSeconds };
    // A forwarder knows the request by the id that it gave it. The signature is over the id of its
    // author (RFC 8945 §4.2 "Original ID"), which `verdict.message` has.
    const id = new WireReader(bytes).u16();
    const request = mapOk(decodeMessage(verdict.message), (message) => ({ ...message, id }));
    if (verdict.status === "refused") {
      return request.ok
        ? this.#plain(exchange, request.value, "NOTAUTH")
        : [sign(exchange, bareReply(bytes, "NOTAUTH"))];
    }
    if (!request.ok) return [sign(exchange, bareReply(bytes, "FORMERR"))];
    return this.#dispatch(exchange, request.value);
  }

  /**
   * By opcode. Opcodes other than query and update are not implemented. NOTIFY is not either: the
   * server is no secondary.
   */
  async #dispatch(exchange: Exchange, request: Message): Promise<Reply> {
    if ((request.edns?.version ?? 0) > EDNS_VERSION)
      return this.#plain(exchange, request, "BADVERS");
    if (request.opcode === "UPDATE") return this.#update(exchange, request);
    if (request.opcode !== "QUERY") return this.#plain(exchange, request, "NOTIMP");
    const [question, ...more] = request.question;
    // RFC 9619: a query has one question.
    if (question === undefined || more.length > 0) return this.#plain(exchange, request, "FORMERR");
    return this.#query(exchange, request, question);
  }

  /**
   * RFC 2136 §3.1: the zone must be ours; then the requester must have the right (§3.3), before
   * anything is judged.
   */
  async #update(exchange: Exchange, request: Message): Promise<Reply> {
    const { zones, keys } = this.#options;
    const apex = updatedZone(request);
    if (apex === null) return this.#plain(exchange, request, "FORMERR");
    const zone = request.question[0]?.class === "IN" ? zones.at(apex) : undefined;
    if (zone === undefined) return this.#plain(exchange, request, "NOTAUTH");
    if (!keys.allows(keyNameOf(exchange), "update", apex))
      return this.#plain(exchange, request, "REFUSED");
    const carryOut = (): Promise<Rcode> => zone.update(request);
    const { signature, nowSeconds } = exchange;
    const rcode = signature && this.#seen.once(signature, nowSeconds(), carryOut);
    return this.#plain(exchange, request, await (rcode ?? carryOut()));
  }

  /**
   * RFC 1034 §4.3.1. Names outside our zones are REFUSED: an upward referral would only serve
   * attackers.
   */
  #query(exchange: Exchange, request: Message, question: Question): Reply {
    if (question.class === "CH") return this.#chaos(exchange, request, question);
    const trouble = question.class === "IN" ? questionTrouble(question) : "REFUSED";
    if (trouble !== null) return this.#plain(exchange, request, trouble);
    if (question.type === "AXFR" || question.type === "IXFR")
      return this.#transfer(exchange, request, question);
    const zone = this.#options.zones.nearest(question.name, question.type);
    if (zone === undefined) return this.#plain(exchange, request, "REFUSED");
    const { version } = zone.state;
    const answer = answerQuestion(version, question);
    const response = { ...responseTo(request, "NOERROR", false), ...answer };
    const bytes = this.#written(exchange, request, response);
    const { rcode } = answer;
    if (exchange.signer === null) this.#answers.keep(exchange, { rcode, bytes, zone, version });
    return [bytes];
  }

  /**
   * RFC 5936 §2, RFC 1995 §2. Over UDP an IXFR gets the SOA alone, which sends the secondary to
   * TCP.
   */
  #transfer(exchange: Exchange, request: Message, { name, type }: Question): Reply {
    const { zones, keys } = this.#options;
    const zone = zones.at(name);
    if (zone === undefined) return this.#plain(exchange, request, "NOTAUTH");
    if (!keys.allows(keyNameOf(exchange), "transfer", name))
      return this.#plain(exchange, request, "REFUSED");
    const serial = type === "IXFR" ? serialHeld(request) : 0;
    const overUdp = exchange.transport === "udp";
    if (serial === null || (overUdp && type === "AXFR"))
      return this.#plain(exchange, request, "FORMERR");
    const state = zone.state;
    if (overUdp) return this.#stream(exchange, request, [state.version.soaRecord]);
    const records = type === "AXFR" ? allRecords(state) : recordsSince(state, serial);
    return this.#stream(exchange, request, records);
  }

  /**
   * Each message is encoded and signed after the one before is sent, so a transfer holds one at a
   * time.
   */
  *#stream(
    exchange: Exchange,
    request: Message,
    records: Iterable<ResourceRecord>,
  ): Generator<Uint8Array> {
    this.#options.onAnswer("query", "NOERROR");
    for (const message of transferMessages(request, records))
      yield writeReply(exchange, request, withEdns(request, message));
  }

  /** `version.bind` and `version.server` by custom; nothing else lives in class CH (RFC 4892). */
  #chaos(exchange: Exchange, request: Message, { name, type }: Question): Reply {
    const known = name === "version.bind" || name === "version.server";
    if (!known || type !== "TXT") return this.#plain(exchange, request, "REFUSED");
    const record = { name, type, class: "CH", ttlSeconds: 0, data: '"zonekeeper"' } as const;
    const response = { ...responseTo(request, "NOERROR", true), answer: [record] };
    return [this.#written(exchange, request, response)];
  }

  /** An answer that is only a response code. */
  #plain(exchange: Exchange, request: Message, rcode: Rcode): Reply {
    return [this.#written(exchange, request, responseTo(request, rcode, false))];
  }

  /** Counts and encodes an answer. */
  #written(exchange: Exchange, request: Message, response: Message): Uint8Array {
    const kind = request.opcode === "UPDATE" ? "update" : "query";
    this.#options.onAnswer(kind, response.rcode);
    return writeReply(exchange, request, withEdns(request, response));
  }
}

/**
 * Types that cannot be asked for, or that we do not answer (RFC 6895 §3.1); null = this one can.
 */
function questionTrouble({ type }: Question): Rcode | null {
  if (!isMetaType(type) || ANSWERED_META_TYPES.has(type)) return null;
  return type === "OPT" || type === "TSIG" || type === "TKEY" ? "FORMERR" : "NOTIMP";
}

/** OPT goes back if and only if it came (RFC 6891 §6.1.1). */
function withEdns(request: Message, response: Message): Message {
  if (request.edns === null) return response;
  const { dnssecOk } = request.edns;
  return { ...response, edns: { udpPayloadBytes: UDP_BYTES_MAX, dnssecOk, version: EDNS_VERSION } };
}

// Answers as bytes, by the request without its id: the same question of another resolver is
// answered without being read. An answer counts as long as its zone has the version it was made
// from and no zone was added. Never for requests that are signed.

/** The cache is bounded, because clients choose what they ask: 6 MB at most. */
const ANSWERS_MAX = 4096;
/** Longer requests carry options and rarely come again. */
const REQUEST_BYTES_MAX = 300;

/** What was asked, and how it came. */
interface CacheRequest {
  readonly transport: Transport;
  /** At least twelve. */
  readonly bytes: Uint8Array;
}

/** One answer and what it rests on. */
interface CachedAnswer {
  readonly rcode: Rcode;
  readonly bytes: Uint8Array;
  readonly zone: HostedZone;
  /** The zone's, when the answer was made. */
  readonly version: ZoneVersion;
}

/** The answers to questions that came lately. */
class AnswerCache {
  readonly #answers = new BoundedMap<string, CachedAnswer>(ANSWERS_MAX);
  #zones = 0;

  /** The answer with the request's id; null = none is known. `zones` counts zones ever added. */
  find(request: CacheRequest, zones: number): Pick<CachedAnswer, "rcode" | "bytes"> | null {
    if (zones !== this.#zones) this.#answers.clear();
    this.#zones = zones;
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
}

/** All bytes behind the id; longer requests have no answer here. */
function requestKey({ transport, bytes }: CacheRequest): string {
  if (bytes.length > REQUEST_BYTES_MAX) return "";
  return transport + String.fromCharCode(...bytes.subarray(2));
}
