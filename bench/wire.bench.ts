/**
 * Our message code beside `dns-packet` on the same messages: an answer with records of several
 * types, decoded and encoded.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { emptyMessage } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import * as judge from "dns-packet";
import { type Figure, percentile, report } from "./support/report.ts";

const ROUNDS = 18;
/** Rounds until the code is compiled. */
const WARM_UP = 3;
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
/** dns-packet reads Buffers only. */
const buffer = Buffer.from(bytes);
const foreign = judge.decode(buffer);

const [ourDecode, theirDecode] = await side(
  () => void decodeMessage(bytes),
  () => void judge.decode(buffer),
);
const [ourEncode, theirEncode] = await side(
  () => void encodeMessage(message),
  () => void judge.encode(foreign),
);
report(
  `wire: an answer of ${DATA.length} records, ${bytes.length} bytes; no budget, for comparison`,
  [
    figure("decode, ours", ourDecode),
    figure("decode, dns-packet", theirDecode),
    figure("encode, ours", ourEncode),
    figure("encode, dns-packet", theirEncode),
  ],
);
process.exit(0);

/**
 * Microseconds of CPU for one call of each: the median of rounds, the first ones left out. Both in
 * turn, for the machine may be busier at one time than at another.
 */
async function side(own: () => void, other: () => void): Promise<readonly [number, number]> {
  const samples: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    samples[0].push(microsecondsOf(own));
    samples[1].push(microsecondsOf(other));
    await new Promise((wake) => setTimeout(wake, 1));
  }
  const [first, second] = samples;
  return [percentile(first.slice(WARM_UP), 0.5), percentile(second.slice(WARM_UP), 0.5)];
}

function microsecondsOf(call: () => void): number {
  const before = process.cpuUsage();
  for (let count = 0; count < TIMES; count++) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TIMES;
}

function figure(what: string, microseconds: number): Figure {
  return { what, value: `${microseconds.toFixed(1)} µs of CPU` };
}
