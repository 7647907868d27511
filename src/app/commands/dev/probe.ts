/**
 * Asks the embedded parts as a client would, so that "ready" is an observation and not a hope, and
 * waits until the controllers have loaded the embedded zone.
 */
import { type OperationError, permanent } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import type { Net, SocketAddress } from "@zonekeeper/base/ports/net";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { queryMessage } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Composition } from "../../compose/compose.ts";

const TIMEOUT_MS = 5000;
const QUERY_ID = 1;

/**
 * Resolves when the name server answers for the zone with authority. Throws OperationError
 * `NotAnswering`.
 */
export async function probeDns(net: Net, at: SocketAddress, zone: DnsName): Promise<void> {
  const query = encodeMessage(queryMessage(QUERY_ID, { name: zone, type: "SOA" }));
  const message = decodeMessage(await exchange(net, at, query));
  if (message.ok && message.value.rcode === "NOERROR" && message.value.answer.length > 0) return;
  throw notAnswering("the name server", message.ok ? message.value.rcode : message.error);
}

async function exchange(net: Net, at: SocketAddress, query: Uint8Array): Promise<Uint8Array> {
  let received: (bytes: Uint8Array) => void = () => {};
  let late: (error: Error) => void = () => {};
  const answer = new Promise<Uint8Array>((resolve, reject) => {
    received = resolve;
    late = reject;
  });
  const local = { host: at.host.includes(":") ? "::" : "0.0.0.0", port: 0 };
  const socket = await net.bindUdp(local, ({ bytes }) => received(bytes));
  const timer = setTimeout(() => late(notAnswering("the name server", "silence")), TIMEOUT_MS);
  try {
    await socket.send(at, query);
    return await answer;
  } finally {
    clearTimeout(timer);
    await socket.close();
  }
}

/** Resolves when the API answers an authorized request. Throws OperationError. */
export async function probeApi(client: HttpClient): Promise<void> {
  const response = await client.request({
    method: "GET",
    path: "/api/v1/namespaces/default",
    headers: { accept: "application/json" },
    body: null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  for await (const _chunk of response.body);
  if (response.status !== 200) throw notAnswering("the API", String(response.status));
}

function notAnswering(who: string, what: string): OperationError {
  return permanent("NotAnswering", `${who} does not answer as it should: ${what}`);
}

/** The zone to wait for. */
export interface AwaitZoneOptions {
  readonly zone: string;
  readonly clock: Clock;
  /** Ends the wait early. */
  readonly stop: AbortSignal;
}

const POLL_MS = 10;
/** Milliseconds; a zone that is not loaded by then waits for a person. */
export const PATIENCE_MS = 20_000;

/**
 * Null = the zone is loaded, or the stop came. Else why it is not: `dev` goes on, since its API is
 * the only place where a person can correct the DNSProvider.
 */
export async function awaitZone(
  running: Pick<Composition, "zones">,
  { zone, clock, stop }: AwaitZoneOptions,
): Promise<string | null> {
  const deadlineMs = clock.monotonicMs() + PATIENCE_MS;
  const find = () => running.zones().find((status) => status.zone.name === zone);
  while (find()?.state !== "ready" && !stop.aborted) {
    if (clock.monotonicMs() >= deadlineMs)
      return find()?.message ?? "the DNSProvider embedded opened no such zone";
    await sleep(clock, POLL_MS, stop);
  }
  return null;
}
