/**
 * Asks one SOA question over UDP, by hand: the readiness test of name servers must not depend on
 * the code under test. RFC 1035 §4.1.
 */
import { createSocket } from "node:dgram";

/** A connected socket learns at once that nobody listens; this is for servers that stay silent. */
const TIMEOUT_MS = 500;

/** Where to ask and for which zone. */
export interface SoaQuestion {
  readonly host: string;
  readonly port: number;
  /** Zone without trailing dot. */
  readonly zone: string;
}

/** True when the server answers NOERROR with at least one record within 500 ms. */
export function soaAnswers(question: SoaQuestion): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    const finish = (answer: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(false), TIMEOUT_MS);
    socket.once("error", () => finish(false));
    socket.once("message", (bytes) => {
      const rcode = (bytes[3] ?? 15) & 15;
      finish(rcode === 0 && bytes.length > 12 && bytes.readUInt16BE(6) > 0);
    });
    socket.connect(question.port, question.host, () => socket.send(questionBytes(question.zone)));
  });
}

function questionBytes(zone: string): Uint8Array {
  const labels = zone.split(".").map((label) => {
    const text = Buffer.from(label, "latin1");
    return Buffer.concat([Buffer.from([text.length]), text]);
  });
  const header = Buffer.from([0x5a, 0x4b, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const SOA_IN = Buffer.from([0, 0, 6, 0, 1]);
  return Buffer.concat([header, ...labels, SOA_IN]);
}
