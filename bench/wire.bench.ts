/** Our message code beside `dns-packet` on the same messages: an answer with records of several types, decoded and encoded. */
import { performance } from "node:perf_hooks";
import * as judge from "dns-packet";
import { trustedDnsName } from "../src/model/dns-name.ts";
import { emptyMessage } from "../src/wire/message/compose.ts";
import { decodeMessage } from "../src/wire/message/decode-message.ts";
import { encodeMessage } from "../src/wire/message/encode-message.ts";
import type { Message, ResourceRecord } from "../src/wire/message/message.ts";
import { type Figure, percentile, report } from "./support/report.ts";

const ROUNDS = 15;
const TIMES = 4_000;

const DATA: readonly (readonly [string, string])[] = [
  ["A", "192.0.2.1"],
  ["AAAA", "2001:db8::1"],
  ["CNAME", "lb.example.org"],
  ["MX", "10 mail.example.org"],
  ["NS", "ns1.example.org"],
  ["SRV", "0 5 443 lb.example.org"],
  [
    "TXT",
    '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/web"',
  ],
];

const answer = DATA.map(
  ([type, data], index): ResourceRecord => ({
    name: trustedDnsName(`host-${index}.example.org`),
    type,
    class: "IN",
    ttlSeconds: 300,
    data,
  }),
);
const question = [{ name: trustedDnsName("host-0.example.org"), type: "A", class: "IN" as const }];
const message: Message = { ...emptyMessage(1), response: true, question, answer };
const bytes = encodeMessage(message);
const foreign = judge.decode(bytes);

const ours = [
  await median(() => void decodeMessage(bytes)),
  await median(() => void encodeMessage(message)),
];
const theirs = [
  await median(() => void judge.decode(bytes)),
  await median(() => void judge.encode(foreign)),
];
report(
  `wire: an answer of ${DATA.length} records, ${bytes.length} bytes; no budget, for comparison`,
  [
    figure("decode, ours", ours[0]),
    figure("decode, dns-packet", theirs[0]),
    figure("encode, ours", ours[1]),
    figure("encode, dns-packet", theirs[1]),
  ],
);
process.exit(0);

/** Microseconds for one call: the median of rounds, the first ones left out. */
async function median(call: () => void): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    for (let count = 0; count < TIMES; count++) call();
    if (round >= 3) samples.push(((performance.now() - startedAt) * 1_000) / TIMES);
    await new Promise((wake) => setTimeout(wake, 1));
  }
  return percentile(samples, 0.5);
}

function figure(what: string, microseconds = Number.NaN): Figure {
  return { what, value: `${microseconds.toFixed(1)} µs` };
}
