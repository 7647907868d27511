/**
 * A Net by which DNS calls go wrong as `breakNext` says, as those of an API do by its fake: a
 * server that fails, an answer that is cut, a key that counts no more. Everything else passes
 * unchanged.
 */
import type { Net, TcpStream } from "@zonekeeper/base/ports/net";
import { responseTo } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message, Rcode } from "@zonekeeper/dns/wire/message/message";
import { checkRequest } from "@zonekeeper/dns/wire/tsig/tsig-server";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import type { ApiFault, BreakableFake, SeenCall } from "../fakes/fake-api.ts";

/** Wraps `net`. Calls are called `UPDATE example.org`, `AXFR example.org`, `A www.example.org`. */
export class BreakingNet implements Net {
  readonly #net: Net;
  readonly #faults: { readonly at: RegExp; readonly fault: ApiFault }[] = [];
  readonly #expired = new Set<string>();
  readonly #calls: SeenCall[] = [];

  constructor(net: Net) {
    this.#net = net;
  }

  breakNext(at: RegExp, fault: ApiFault): void {
    this.#faults.push({ at, fault });
  }

  /** Messages signed with the key of this name are answered with BADKEY from now. */
  expire(keyName: string): void {
    this.#expired.add(keyName);
  }

  /** As the suite breaks it; `renew` opens sessions with another key from now. */
  breakable(renew: BreakableFake["renewCredentials"]): BreakableFake {
    return {
      writes: /^UPDATE/,
      listings: /^AXFR/,
      breakNext: (at, fault) => this.breakNext(at, fault),
      takeCalls: () => this.#calls.splice(0),
      renewCredentials: renew,
    };
  }

  async connectTcp(...args: Parameters<Net["connectTcp"]>): Promise<TcpStream> {
    return this.#watched(await this.#net.connectTcp(...args));
  }

  listenTcp(...args: Parameters<Net["listenTcp"]>): ReturnType<Net["listenTcp"]> {
    return this.#net.listenTcp(...args);
  }

  bindUdp(...args: Parameters<Net["bindUdp"]>): ReturnType<Net["bindUdp"]> {
    return this.#net.bindUdp(...args);
  }

  #watched(inner: TcpStream): TcpStream {
    const replies = new Replies(inner);
    return {
      remote: inner.remote,
      close: () => inner.close(),
      read: () => replies.next(),
      write: async (bytes) => {
        const request = bytes.slice(FRAME_BYTES);
        const message = messageIn(request);
        const refusal = badKey(request, this.#expired);
        if (refusal !== null) return replies.give(framed(refusal));
        const [method, path] = callOf(message);
        this.#calls.push({ method, path, body: "" });
        const fault = this.#faultFor(`${method} ${path}`);
        if (fault?.is === "refused") return replies.give(framed(answerTo(message, "SERVFAIL")));
        if (fault !== null) replies.cut(fault.is);
        await inner.write(bytes);
      },
    };
  }

  #faultFor(call: string): ApiFault | null {
    const index = this.#faults.findIndex(({ at }) => at.test(call));
    return index < 0 ? null : (this.#faults.splice(index, 1)[0]?.fault ?? null);
  }
}

function callOf({ opcode, question: [first] }: Message): readonly [string, string] {
  return [opcode === "UPDATE" ? "UPDATE" : `${first?.type}`, `${first?.name}`];
}

/** What comes from the server, and what comes in its place. */
class Replies {
  readonly #inner: TcpStream;
  readonly #given: Uint8Array[] = [];
  #fromServer: Promise<Uint8Array | null> | null = null;
  #wake: () => void = () => undefined;
  #cut: ApiFault["is"] | null = null;
  #isOver = false;

  constructor(inner: TcpStream) {
    this.#inner = inner;
  }

  give(bytes: Uint8Array): void {
    this.#given.push(bytes);
    this.#wake();
  }

  /** Of the next bytes of the server; `shortened` says of the half that it is all. */
  cut(how: ApiFault["is"]): void {
    this.#cut = how;
  }

  async next(): Promise<Uint8Array | null> {
    const given = this.#given.shift();
    if (given !== undefined) return given;
    if (this.#isOver) return null;
    this.#fromServer ??= this.#inner.read();
    const woken = new Promise<"woken">((resolve) => {
      this.#wake = () => resolve("woken");
    });
    const first = await Promise.race([this.#fromServer, woken]);
    if (first === "woken") return this.next();
    this.#fromServer = null;
    if (first === null || this.#cut === null) return first;
    this.#isOver = true;
    this.#inner.close();
    const half = first.slice(FRAME_BYTES, FRAME_BYTES + (first.length - FRAME_BYTES) / 2);
    return this.#cut === "shortened" ? framed(half) : first.slice(0, first.length / 2);
  }
}

/** RFC 1035 §4.2.2. */
const FRAME_BYTES = 2;

function framed(message: Uint8Array): Uint8Array {
  return Uint8Array.of(message.length >> 8, message.length & 255, ...message);
}

function messageIn(bytes: Uint8Array): Message {
  const decoded = decodeMessage(bytes);
  if (!decoded.ok) throw new Error(decoded.error);
  return decoded.value;
}

function answerTo(request: Message, rcode: Rcode): Uint8Array {
  return encodeMessage(responseTo(request, rcode, false));
}

/** RFC 8945 §5.2.1; null = it is not signed with one of these keys. */
function badKey(request: Uint8Array, keys: ReadonlySet<string>): Uint8Array | null {
  const nowSeconds = Math.floor(Date.now() / 1000);
  let isKnown = false;
  const keyOf = (name: string): null => {
    isKnown = keys.has(name);
    return null;
  };
  const verdict = checkRequest(request, { crypto: new RealCrypto(), nowSeconds, keyOf });
  if (verdict.status !== "refused" || !isKnown) return null;
  const reply = answerTo(messageIn(verdict.message), "NOTAUTH");
  return verdict.signer.sign(reply, nowSeconds);
}
