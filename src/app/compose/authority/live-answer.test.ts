import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { emptyMessage } from "@zonekeeper/dns/wire/message/compose";
import type { Message, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { describe, expect, test } from "vitest";
import { nameOf, parseZone } from "../../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../../model/record-set.ts";
import type { ZoneServer } from "../../../sync/contract/name-explanation.ts";
import { liveAnswer } from "./live-answer.ts";

const WWW = nameOf("www");
const servers: readonly ZoneServer[] = [
  { name: "ns1.example.org", addresses: ["192.0.2.53"] },
  { name: "ns2.example.org", addresses: ["192.0.2.54"] },
  { name: "ns.example.net", addresses: [] },
];

const record = (name: string, type: string, data: string): ResourceRecord => ({
  name: trustedDnsName(name),
  type,
  class: "IN",
  ttlSeconds: 60,
  data,
});
const reply = (more: Partial<Message>): Message => ({
  ...emptyMessage(1),
  response: true,
  authoritative: true,
  ...more,
});
const addresses = (...values: readonly string[]): Message =>
  reply({ answer: values.map((value) => record(WWW, "A", value)) });

/** The answer of a server; absent = as wanted. */
type Replies = Readonly<Record<string, Message | string>>;

async function asked(replies: Replies, zoneText = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2") {
  const sets: readonly RecordSet[] = parseZone(zoneText);
  const queries: string[] = [];
  let taken = 0;
  const answer = await liveAnswer(
    { name: WWW, sets },
    {
      explanation: { endpoint: "192.0.2.53:5353", servers },
      take: async () => {
        taken += 1;
      },
      nowMs: () => Date.parse("2026-01-01T00:00:00Z"),
      ask: async ({ label }, { name, type }: { readonly name: DnsName; readonly type: string }) => {
        queries.push(`${label} ${name} ${type}`);
        return replies[label] ?? addresses("192.0.2.2", "192.0.2.1");
      },
    },
  );
  expect(taken).toBe(queries.length);
  return { text: `${answer.status}: ${answer.message}`, queries };
}

describe("all servers of a zone", () => {
  test("answer: the time is in it, and each was asked once", async () => {
    const { text, queries } = await asked({});
    expect(text).toBe(
      "True: www.example.org: 3 of 3 servers answered with it at 2026-01-01T00:00:00Z",
    );
    expect(queries).toEqual([
      "192.0.2.53:5353 www.example.org A",
      "ns2.example.org (192.0.2.54) www.example.org A",
      "ns.example.net www.example.org A",
    ]);
  });

  test.each<[string, Message | string, string]>([
    ["lags", addresses("192.0.2.9"), "A: 192.0.2.9"],
    ["has one value less", addresses("192.0.2.1"), "A: 192.0.2.1"],
    ["has nothing", reply({}), "A: no data"],
    ["does not know the name", reply({ rcode: "NXDOMAIN" }), "A: NXDOMAIN"],
    ["refuses", reply({ rcode: "REFUSED", authoritative: false }), "A: REFUSED"],
    [
      "is a resolver",
      { ...addresses("192.0.2.1", "192.0.2.2"), authoritative: false },
      "A: it does not answer for the zone",
    ],
    ["is away", "connection refused", "connection refused"],
  ])("one of which %s", async (_, message, trouble) => {
    const { text } = await asked({ "ns2.example.org (192.0.2.54)": message });
    expect(text).toBe(
      `False: www.example.org: 2 of 3 servers answered with it at 2026-01-01T00:00:00Z; ns2.example.org (192.0.2.54): ${trouble}`,
    );
  });
});

describe("a delegation", () => {
  const referral = (to: string, glue: string): Message =>
    reply({
      authoritative: false,
      authority: [record(WWW, "NS", to)],
      additional: [record(to, "A", glue)],
    });

  test("is followed: its servers are asked instead, each once", async () => {
    const to = referral("ns.www.example.org", "192.0.2.99");
    const { text, queries } = await asked({
      "192.0.2.53:5353": to,
      "ns2.example.org (192.0.2.54)": to,
      "ns.example.net": to,
    });
    expect(text).toContain("True: www.example.org: 1 of 1 servers");
    expect(queries.filter((one) => one.startsWith("ns.www.example.org (192.0.2.99)"))).toHaveLength(
      1,
    );
  });

  test("that leads in a circle ends", async () => {
    const to = (name: string) => referral(`${name}.www.example.org`, "192.0.2.99");
    const replies = Object.fromEntries(
      ["a", "b", "c", "d", "e", "f"].map((name, index, all) => [
        `${name}.www.example.org (192.0.2.99)`,
        to(all[(index + 1) % all.length] ?? "a"),
      ]),
    );
    const { text, queries } = await asked({ ...replies, "ns.example.net": to("a") });
    expect(text).toContain("refers to others without end");
    expect(queries.length).toBeLessThan(10);
  });
});

test("a member of a routing policy is not what a server answers with", async () => {
  const { text, queries } = await asked({}, "www 300 A 192.0.2.1 ; id=a policy=w");
  expect([text, queries]).toEqual([
    "Unknown: www.example.org: its records are not what a server answers with; ask by hand",
    [],
  ]);
});
