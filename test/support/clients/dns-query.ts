/**
 * One DNS question over TCP by the npm package dns-packet: a judge that needs nothing installed and
 * shares no code with ours. Where dig is installed, dig is the better judge.
 */

import { connect } from "node:net";
import { decode, encode } from "dns-packet";
import { PATIENCE_MS } from "../ports/eventually.ts";

/** One answer record with rdata in zone-file text. */
export interface QueriedRecord {
  readonly name: string;
  readonly type: string;
  readonly ttlSeconds: number;
  readonly rdata: string;
}

/** Asks 127.0.0.1. Throws when no answer comes within 5 s. */
export async function query(
  port: number,
  name: string,
  type: string,
): Promise<readonly QueriedRecord[]> {
  const { answers = [] } = decode(await answerTo(port, name, type));
  return answers.flatMap((answer) => {
    const record = answer as RawAnswer;
    if (record.type === "OPT") return [];
    const { ttl: ttlSeconds } = record;
    return [{ name: record.name, type: record.type, ttlSeconds, rdata: textOf(record) }];
  });
}

/** The bytes of an answer of 127.0.0.1, as `query` gets it. */
export function answerTo(port: number, name: string, type: string): Promise<Uint8Array> {
  return exchange(port, encode({ type: "query", id: 4711, questions: [{ name, type }] }));
}

interface RawAnswer {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: unknown;
}

function textOf({ type, data }: RawAnswer): string {
  if (typeof data === "string") return data;
  if (type === "TXT") return (data as readonly Uint8Array[]).map(quotedString).join(" ");
  const fields = data as Readonly<Record<string, string | number>>;
  if (type === "MX") return `${fields["preference"]} ${fields["exchange"]}`;
  return Object.values(fields).join(" ");
}

/** RFC 1035 §5.1: printable bytes as they are, `"` and `\` escaped, all others as `\DDD`. */
function quotedString(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte);
    return `\\${String(byte).padStart(3, "0")}`;
  });
  return `"${text.join("")}"`;
}

function exchange(port: number, message: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    let received = Buffer.alloc(0);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no answer from port ${port}`)));
    socket.once("error", reject);
    socket.once("end", () => reject(new Error(`port ${port} closed the connection`)));
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      socket.destroy();
      resolve(received.subarray(2, 2 + received.readUInt16BE(0)));
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
  });
}
