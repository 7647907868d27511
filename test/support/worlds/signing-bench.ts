/**
 * A scripted server that holds the test key, and a provider session to it on a virtual clock: what
 * the offline tests of the rfc2136 provider share. Tests only.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { responseTo } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message, Rcode, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import type { TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { checkRequest, type TsigSigner } from "@zonekeeper/dns/wire/tsig/tsig-server";
import type { Zone } from "../../../src/model/zone.ts";
import type { WriteGate } from "../../../src/ports/write-gate.ts";
import type { ProviderSession } from "../../../src/providers/provider.ts";
import type { Exchange, ScriptedServer } from "../ports/scripted-server.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { openSession, realEnvironment } from "../values/rfc2136-session.ts";

const { crypto } = realEnvironment();
const KEY: TsigKey = {
  name: trustedDnsName("key"),
  algorithm: "hmac-sha256",
  secret: new TextEncoder().encode("secret-value"),
};

/** The zone of the scripts. */
export const ZONE: Zone = {
  id: "example.org",
  name: trustedDnsName("example.org"),
  providerType: "rfc2136",
  endpoint: "192.0.2.53:53",
  view: "",
};

/** One test's time; make a new one for each. */
export class SigningBench {
  readonly clock = new VirtualClock();

  /** Unix seconds of the virtual clock. */
  nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }

  /** The request, verified, with a signer for answers to it. */
  opened(exchange: Exchange): {
    readonly message: Message;
    readonly signer: TsigSigner;
    readonly answer: (message: Message) => void;
  } {
    const nowSeconds = this.nowSeconds();
    const verdict = checkRequest(exchange.request, { crypto, nowSeconds, keyOf: () => KEY });
    if (verdict.status !== "verified") throw new Error(`the request is ${verdict.status}`);
    const { signer } = verdict;
    return {
      message: decodedRequest({ ...exchange, request: verdict.message }),
      signer,
      answer: (reply) => exchange.reply(signer.sign(encodeMessage(reply), nowSeconds)),
    };
  }

  /** Answers with a response code, signed. */
  signed(rcode: Rcode): (exchange: Exchange) => void {
    return (exchange) => {
      const { message, answer } = this.opened(exchange);
      answer(responseTo(message, rcode, true));
    };
  }

  /**
   * Refuses as a server does that has another key, another secret or another time; NOTAUTH with the
   * TSIG error.
   */
  refusing(error: "BADKEY" | "BADSIG" | "BADTIME"): (exchange: Exchange) => void {
    const skew = error === "BADTIME" ? -7200 : 0;
    const other = { ...KEY, secret: Uint8Array.of(1) };
    const keys = { BADKEY: null, BADSIG: other, BADTIME: KEY };
    return (exchange) => {
      const nowSeconds = this.nowSeconds() + skew;
      const context = { crypto, nowSeconds, keyOf: () => keys[error] };
      const verdict = checkRequest(exchange.request, context);
      if (verdict.status !== "refused") throw new Error(`the request is ${verdict.status}`);
      const request = decodedRequest({ request: verdict.message });
      const reply = encodeMessage(responseTo(request, "NOTAUTH", false));
      exchange.reply(verdict.signer.sign(reply, nowSeconds));
    };
  }

  session(server: ScriptedServer, dryRun = false, writeGate?: WriteGate): ProviderSession {
    const secretBase64 = btoa("secret-value");
    const key = { name: "key", algorithm: "hmac-sha256", secretBase64 } as const;
    const target = { host: "127.0.0.1", port: 53, zone: "example.org", key } as const;
    const blocker = writeGate === undefined ? {} : { writeGate };
    return openSession(target, {}, { net: server, clock: this.clock, dryRun, ...blocker });
  }

  /** Turns the clock while `work` is under way, for `ms` at most. */
  async during<T>(work: Promise<T>, ms: number): Promise<T> {
    let isDone = false;
    const finished = work.finally(() => {
      isDone = true;
    });
    finished.catch(() => {});
    for (let waited = 0; !isDone && waited <= ms; waited += 500) await this.clock.advance(500);
    return finished;
  }
}

/** The request without looking at its signature. */
export function decodedRequest(exchange: Pick<Exchange, "request">): Message {
  const decoded = decodeMessage(exchange.request);
  if (!decoded.ok) throw new Error(decoded.error);
  return decoded.value;
}

/** Answers with a response code and no signature. */
export function unsigned(rcode: Rcode): (exchange: Exchange) => void {
  return (exchange) =>
    exchange.reply(encodeMessage(responseTo(decodedRequest(exchange), rcode, true)));
}

/** The apex SOA with a serial. */
export function soa(serial: number): ResourceRecord {
  const data = `ns1.example.org h.example.org ${serial} 1 2 3 4`;
  return { name: ZONE.name, type: "SOA", class: "IN", ttlSeconds: 60, data };
}

/** An A record. */
export function a(owner: string, data: string): ResourceRecord {
  return { name: trustedDnsName(owner), type: "A", class: "IN", ttlSeconds: 60, data };
}
