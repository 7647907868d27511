/** Asks the embedded parts as a client would, so that "ready" is an observation and not a hope. */
import { type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import type { Net, SocketAddress } from "@zonekeeper/base/ports/net";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { queryMessage } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";

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
