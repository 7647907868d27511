/**
 * Sends one question over UDP, as users' programs do (RFC 1035 §4.2.1), from a random port and with
 * a random id, so that forged answers are ignored. For people; nothing is decided by it.
 */
import { isIPv6 } from "node:net";
import type { Timer } from "@zonekeeper/base/ports/clock";
import type { Datagram } from "@zonekeeper/base/ports/net";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { tryEncodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import type { HostPort } from "../../../model/addresses.ts";
import { isSameJson } from "../../../model/same-json.ts";
import type { AskPorts } from "./ask-servers.ts";

/** Milliseconds for an answer, and how often the question is sent. */
const TRY_MS = 700;
const TRIES = 2;

/**
 * The whole answer; null = none came, or it was too long for a datagram, so that TCP is to be asked
 * (RFC 7766 §5). Rejects with OperationError where no socket can be had.
 */
export async function askUdp(
  { net, clock, random }: AskPorts,
  at: HostPort,
  asked: Message,
): Promise<Message | null> {
  const [high = 0, low = 0] = random.bytes(2);
  const query = { ...asked, id: (high << 8) | low };
  const encoded = tryEncodeMessage(query);
  if (!encoded.ok) return null;
  let found: (message: Message | null) => void = () => undefined;
  const answer = new Promise<Message | null>((resolve) => {
    found = resolve;
  });
  const onDatagram = ({ from, bytes }: Datagram): void => {
    if (from.port !== at.port || plain(from.host) !== plain(at.host)) return;
    const read = decodeMessage(bytes);
    if (!read.ok || read.value.id !== query.id || !read.value.response) return;
    if (isSameJson(read.value.question, query.question))
      found(read.value.truncated ? null : read.value);
  };
  const any = { host: isIPv6(at.host) ? "::" : "0.0.0.0", port: 0 };
  const socket = await net.bindUdp(any, onDatagram);
  const timers: Timer[] = [];
  const send = (): void => {
    if (timers.length === TRIES) {
      found(null);
      return;
    }
    timers.push(clock.setTimer(TRY_MS, send));
    socket.send(at, encoded.value).catch(() => found(null));
  };
  send();
  try {
    return await answer;
  } finally {
    for (const timer of timers) timer.cancel();
    await socket.close();
  }
}

/** An IPv6 address may be written in several ways. */
function plain(host: string): string {
  const url = `http://[${host}]`;
  return isIPv6(host) && URL.canParse(url) ? new URL(url).hostname : host;
}
