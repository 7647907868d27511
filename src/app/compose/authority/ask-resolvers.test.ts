import { queryMessage, responseTo } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { expect, onTestFinished, test } from "vitest";
import { nameOf } from "../../../../test/support/values/zone-text.ts";
import { RealClock } from "../../ports/real-clock.ts";
import { RealCrypto, RealRandom } from "../../ports/real-crypto.ts";
import { RealNet } from "../../ports/real-net.ts";
import { askResolvers, askUdp } from "./ask-resolvers.ts";

const ports = {
  ...{ net: new RealNet(), clock: new RealClock() },
  ...{ random: new RealRandom(), crypto: new RealCrypto() },
};
const QUERY = { ...queryMessage(0, { name: nameOf("www"), type: "A" }), recursionDesired: true };

/** Sends these answers to each question; null = bytes that are no message. */
async function server(answersTo: (query: Message) => readonly (Message | null)[]) {
  const asked: Message[] = [];
  const socket = await ports.net.bindUdp({ host: "127.0.0.1", port: 0 }, ({ from, bytes }) => {
    const query = decodeMessage(bytes);
    if (!query.ok) return;
    asked.push(query.value);
    for (const one of answersTo(query.value))
      void socket.send(from, one === null ? new Uint8Array([1, 2, 3]) : encodeMessage(one));
  });
  onTestFinished(() => socket.close());
  return { at: socket.local, asked };
}

const answerTo = (query: Message): Message => ({
  ...responseTo(query, "NOERROR", false),
  answer: [{ name: nameOf("www"), type: "A", class: "IN", ttlSeconds: 17, data: "192.0.2.1" }],
});

test("the answer with the id and the question of ours counts, and no other", async () => {
  const { at } = await server((query) => [
    null,
    { ...responseTo(query, "NXDOMAIN", false), id: query.id ^ 1 },
    { ...responseTo({ ...query, question: [] }, "NXDOMAIN", false) },
    { ...query, rcode: "NXDOMAIN" },
    answerTo(query),
  ]);
  const answer = await askUdp(ports, at, QUERY);
  expect(answer?.answer).toMatchObject([{ ttlSeconds: 17, data: "192.0.2.1" }]);
});

test("a lost datagram is sent once more; who is silent gives none", async () => {
  let count = 0;
  const lossy = await server((query) => (count++ === 0 ? [] : [answerTo(query)]));
  expect((await askUdp(ports, lossy.at, QUERY))?.rcode).toBe("NOERROR");
  const silent = await server(() => []);
  expect(await askUdp(ports, silent.at, QUERY)).toBeNull();
  expect(silent.asked).toHaveLength(2);
});

test("an answer that was cut off is asked for over TCP", async () => {
  const { at } = await server((query) => [{ ...answerTo(query), truncated: true }]);
  expect(await askUdp(ports, at, QUERY)).toBeNull();
});

test("a resolver answers with the TTL that is left; one that is silent is not waited for twice", async () => {
  const { at } = await server((query) => [answerTo(query)]);
  const silent = await server(() => []);
  const servers = [at, silent.at].map(({ host, port }) => `${host}:${port}`);
  const [good, bad] = await askResolvers({ ...ports, servers }, nameOf("www"), ["A", "AAAA"]);
  expect(good).toMatchObject({ trouble: null, answers: [{ ttlSeconds: 17 }, { ttlSeconds: 17 }] });
  expect(bad?.trouble).not.toBeNull();
  expect(silent.asked).toHaveLength(2);
});
