/**
 * What a query costs the embedded name server, in a process of its own: a zone of 1 000 names,
 * asked over UDP from one socket, 64 questions at a time. Each name is asked again and again, as by
 * resolvers.
 */
import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { encode } from "dns-packet";
import type { ServeConfig } from "../test/support/name-server/serve.ts";
import { setsFrom } from "../test/support/name-server/zone-text.ts";
import { claimPort } from "../test/support/ports/free-port.ts";
import { makeTempFolder } from "../test/support/ports/temp-folder.ts";
import { Program } from "./support/program.ts";
import { percentile, report } from "./support/report.ts";

const ZONE = "example.org";
const NAMES = 1_000;
const QUERIES = 20_000;
const AT_ONCE = 64;
const ROUNDS = 7;
/** Questions without an answer by then are asked again. */
const LOST_MS = 500;

const QUESTIONS = Array.from({ length: NAMES }, (_, index) =>
  encode({
    type: "query",
    id: index + 1,
    questions: [{ name: `host-${index}.${ZONE}`, type: "A" }],
  }),
);

const { port } = await claimPort();
const folder = makeTempFolder("bench-queries");
const configFile = join(folder.path, "config.json");
writeFileSync(configFile, JSON.stringify(configOf()));
const program = new Program("script/run.mjs", ["test/support/name-server/serve.ts", configFile]);
await ask(QUERIES);
const costs: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const before = program.cpuMs();
  await ask(QUERIES);
  costs.push(((program.cpuMs() - before) * 1000) / QUERIES);
}
await program.stop();
folder.remove();
const cost = percentile(costs, 0.5);
report(`queries: ${NAMES} names, ${QUERIES} questions over UDP, the median of ${ROUNDS}`, [
  {
    what: "a query to the embedded name server",
    value: `${cost.toFixed(1)} µs of CPU`,
    budget: "55 µs",
    met: cost <= 55,
  },
]);
process.exit(0);

function configOf(): ServeConfig {
  const hosts = Array.from({ length: NAMES }, (_, index) => `host-${index} A 192.0.2.1`);
  const soa = `@ SOA ns1.${ZONE} hostmaster.${ZONE} 1 3600 600 86400 60`;
  const text = [soa, "@ NS ns1", "ns1 A 127.0.0.1", ...hosts].join("\n");
  return {
    port,
    storeFile: join(folder.path, "store.lmdb"),
    zone: ZONE,
    initialRecords: setsFrom(text, trustedDnsName(ZONE)),
    key: { name: "bench", algorithm: "hmac-sha256", secretBase64: "c2VjcmV0LXNlY3JldC1zZWNyZXQ=" },
    notifyPorts: [],
    tls: null,
  };
}

/** Resolves when so many questions are answered. */
function ask(count: number): Promise<void> {
  const socket = createSocket("udp4");
  socket.on("error", () => {});
  let sent = 0;
  let answered = 0;
  return new Promise((resolve) => {
    const send = (): void => {
      sent += 1;
      socket.send(QUESTIONS[sent % NAMES] ?? "", port, "127.0.0.1");
    };
    const sendSome = (): void => {
      for (let free = 0; free < AT_ONCE; free++) send();
    };
    const lost = setInterval(sendSome, LOST_MS);
    socket.on("message", (bytes) => {
      // An answer with a record: NOERROR and a count.
      if (((bytes[3] ?? 0) & 15) !== 0 || bytes[7] !== 1)
        throw new Error("no address was answered");
      answered += 1;
      lost.refresh();
      if (answered < count) send();
      else if (answered === count) {
        clearInterval(lost);
        socket.close(() => resolve());
      }
    });
    sendSome();
  });
}
