/**
 * Keys, a responder over an in-memory store, and a signing client for the name server's tests. No
 * sockets.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { HostedZone } from "@zonekeeper/dns/name-server/hosting/hosted-zone";
import { newZoneWrites } from "@zonekeeper/dns/name-server/hosting/zone-store";
import { ZoneTable } from "@zonekeeper/dns/name-server/hosting/zone-table";
import { KeyRing, type NameServerKey } from "@zonekeeper/dns/name-server/server/key-ring";
import { Responder } from "@zonekeeper/dns/name-server/server/responder";
import { DEFAULT_JOURNAL_LIMITS } from "@zonekeeper/dns/name-server/zone/journal";
import type { ZoneVersion } from "@zonekeeper/dns/name-server/zone/zone-version";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { TsigClient, type TsigVerdict } from "@zonekeeper/dns/wire/tsig/tsig-client";
import type { TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { QUIET_LOG } from "./quiet-log.ts";
import { zoneFromText } from "./zone-text.ts";

/** Unix seconds at which the fixture's clock stands. */
export const NOW_SECONDS = 1_700_000_000;

/** Hashes by node:crypto. */
export const NODE_CRYPTO: Crypto = {
  hash: (algorithm, data) => createHash(algorithm).update(data).digest(),
  hmac: (algorithm, key, data) => createHmac(algorithm, key).update(data).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
};

const FIXED_CLOCK: Clock = {
  nowMs: () => NOW_SECONDS * 1000,
  monotonicMs: () => 0,
  setTimer: () => ({ cancel: () => {} }),
};

function key(name: string, grants: Partial<NameServerKey>): NameServerKey {
  return {
    name: trustedDnsName(name),
    algorithm: "hmac-sha256",
    secret: new TextEncoder().encode(`${name} secret, 32 bytes or more of it`),
    zones: "all",
    mayUpdate: false,
    mayTransfer: false,
    ...grants,
  };
}

/** May do everything. */
export const FULL_KEY = key("full", { mayUpdate: true, mayTransfer: true });
/** May update, not transfer. */
export const UPDATE_KEY = key("update-only", { mayUpdate: true });
/** May transfer, not update. */
export const TRANSFER_KEY = key("transfer-only", { mayTransfer: true });
/** May do everything in a zone that is not the test zone. */
export const OTHER_ZONE_KEY = key("other-zone", {
  mayUpdate: true,
  mayTransfer: true,
  zones: [trustedDnsName("example.net")],
});

/** All keys of the fixture. */
export const KEYS = [FULL_KEY, UPDATE_KEY, TRANSFER_KEY, OTHER_ZONE_KEY];

/** A responder over one zone. */
export interface Fixture {
  readonly responder: Responder;
  readonly zone: HostedZone;
  readonly zones: ZoneTable;
  /** What was answered, in order: `query NOERROR`. */
  readonly answered: readonly string[];
}

/** Serves the test zone with these records. */
export async function fixtureOf(zoneText = ""): Promise<Fixture> {
  const zone = await hostedZone(zoneFromText(zoneText));
  const zones = new ZoneTable();
  zones.add(zone);
  const answered: string[] = [];
  const responder = new Responder({
    zones,
    keys: new KeyRing(KEYS),
    crypto: NODE_CRYPTO,
    clock: FIXED_CLOCK,
    onAnswer: (kind, rcode) => answered.push(`${kind} ${rcode}`),
  });
  return { responder, zone, zones, answered };
}

/** A zone in a store of its own. */
export async function hostedZone(version: ZoneVersion): Promise<HostedZone> {
  const store = new MemoryStore();
  await store.write(newZoneWrites(version));
  const { apex } = version;
  return new HostedZone({ apex, store, log: QUIET_LOG, journalLimits: DEFAULT_JOURNAL_LIMITS });
}

/** How to ask. */
export interface AskOptions {
  readonly transport?: "udp" | "tcp";
  readonly key?: TsigKey;
  /** The client's clock; default the server's. */
  readonly nowSeconds?: number;
}

/** What came back. */
export interface Asked {
  readonly messages: readonly Message[];
  /** Lengths of the messages as they were sent. */
  readonly sizes: readonly number[];
  /** One for each message; empty for an unsigned request. */
  readonly verdicts: readonly TsigVerdict[];
}

/** Sends one request and reads the whole answer; throws when an answer cannot be decoded. */
export async function ask(
  { responder }: Fixture,
  request: Message,
  options: AskOptions = {},
): Promise<Asked> {
  const { transport = "udp", nowSeconds = NOW_SECONDS } = options;
  const client = options.key === undefined ? null : new TsigClient(options.key, NODE_CRYPTO);
  const plain = encodeMessage(request);
  const bytes = client === null ? plain : client.sign(plain, nowSeconds);
  const replies = [...(await responder.respond(bytes, transport))];
  const verdicts = client === null ? [] : replies.map((reply) => client.verify(reply, nowSeconds));
  const messages = replies.map((reply) => {
    const decoded = decodeMessage(reply);
    if (!decoded.ok) throw new Error(decoded.error);
    return decoded.value;
  });
  return { messages, sizes: replies.map((reply) => reply.length), verdicts };
}
