/**
 * The embedded name server beside BIND: the same random updates and the same questions to both.
 * Where the two may differ by the RFCs, the generator keeps away and says so.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dig, transfer } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";

const SEED = Number(process.env["ZONEKEEPER_SEED"] ?? 20_261_121);
const MESSAGES = 100;

const NAMES = [
  "example.org",
  ...["a", "b.a", "c.b.a", "*.a", "w", "*.w", "x.w", "s", "y.s"].map((n) => `${n}.example.org`),
];
const DATA: Readonly<Record<string, readonly string[]>> = {
  A: ["192.0.2.1", "192.0.2.2"],
  AAAA: ["2001:db8::1"],
  TXT: ['"x"', '"y" "z"'],
  // Not MX: BIND refuses some by its own check of their targets.
  PTR: ["a.example.org.", "b.a.example.org."],
  DNAME: ["a.example.org.", "example.net."],
  CNAME: ["a.example.org.", "b.a.example.org.", "x.w.example.org.", "gone.example.org."],
};

const name = fc.constantFrom(...NAMES);
const record = fc
  .constantFrom(...Object.keys(DATA))
  .chain((type) =>
    fc.record({ type: fc.constant(type), data: fc.constantFrom(...(DATA[type] ?? [])) }),
  );
/**
 * One TTL: BIND and RFC 2181 §5.2 agree on one for each set, but servers differ on which record's
 * TTL wins.
 */
const TTL = 60;

/**
 * BIND answers a loop of aliases with SERVFAIL, we with as far as we came: both may (RFC 1034
 * §3.6.2 leaves it open).
 */
function mayLoop(name: string, type: string, data: string): boolean {
  if (type === "DNAME") return data === "a.example.org." && name.endsWith("a.example.org");
  const target = NAMES.indexOf(data.slice(0, -1));
  return type === "CNAME" && target >= 0 && target <= NAMES.indexOf(name);
}

const update = fc
  .record({ name, record, kind: fc.constantFrom("add", "add", "add", "one", "set", "name") })
  .map(({ name, record: { type, data }, kind }) => {
    // BIND refuses a DNAME at the apex as long as its NS lie below it, by its own check of them.
    if (type === "DNAME" && name === "example.org") return `update delete ${name} DNAME`;
    if (kind === "add" && mayLoop(name, type, data)) return `update delete ${name} ${type}`;
    if (kind === "add") return `update add ${name} ${TTL} ${type} ${data}`;
    if (kind === "one") return `update delete ${name} ${type} ${data}`;
    return kind === "set" ? `update delete ${name} ${type}` : `update delete ${name}`;
  });
/**
 * Only the zone cut `s`, whose NS never change afterwards, so that both have the same delegation.
 */
const CUT = [`update add s.example.org ${TTL} NS ns.y.s.example.org.`];

const condition = fc
  .record({
    name,
    record,
    kind: fc.constantFrom("yxdomain", "nxdomain", "yxrrset", "nxrrset", "exact"),
  })
  .map(({ name, record: { type, data }, kind }) => {
    if (kind === "exact") return `prereq yxrrset ${name} IN ${type} ${data}`;
    return `prereq ${kind} ${name}${kind.endsWith("rrset") ? ` ${type}` : ""}`;
  });

const message = fc
  .record({
    conditions: fc.oneof(fc.constant([]), fc.array(condition, { minLength: 1, maxLength: 2 })),
    updates: fc.array(update, { minLength: 1, maxLength: 4 }),
  })
  .map(({ conditions, updates }) => [...conditions, ...updates]);

const QUESTIONS = [
  ...NAMES,
  "nope.example.org",
  "n.w.example.org",
  "n.m.a.example.org",
  "z.y.s.example.org",
  "n.x.w.example.org",
];
/** Not SOA: BIND sends TTL 0 with the negative answer to that (zero-no-soa-ttl). */
const TYPES = ["A", "AAAA", "TXT", "PTR", "CNAME", "DNAME", "NS", "DS"];

let bind: RealServer;
let embedded: RealServer;

async function zoneOf(server: RealServer): Promise<readonly string[]> {
  const records = await transfer({ port: server.port, name: "example.org", key: server.key });
  return records
    .map(({ name, ttlSeconds, type, rdata }) => `${name} ${ttlSeconds} ${type} ${rdata}`)
    .sort();
}

/**
 * What a resolver would learn; the order of records and additional data beyond glue are the
 * server's own affair.
 */
async function answerOf(server: RealServer, name: string, type: string): Promise<unknown> {
  const { status, flags, answer, authority, additional } = await dig({
    port: server.port,
    name,
    type,
  });
  const text = (records: typeof answer) =>
    records.map((each) => `${each.name} ${each.ttlSeconds} ${each.type} ${each.rdata}`).sort();
  const referral = !flags.includes("aa");
  return {
    status,
    authoritative: flags.includes("aa"),
    answer: text(answer),
    authority: text(authority),
    additional: referral ? text(additional) : [],
  };
}

describeReal("the embedded name server beside BIND", ["bind", "dig"], () => {
  beforeAll(async () => {
    [bind, embedded] = await Promise.all([
      startBind({ zone: "example.org" }),
      startEmbedded({ zone: "example.org" }),
    ]);
  });
  afterAll(async () => {
    await bind?.stop();
    await embedded?.stop();
  });

  test(`${MESSAGES} random updates end alike: response code, serial, every record (seed ${SEED})`, async () => {
    const messages = [CUT, ...fc.sample(message, { seed: SEED, numRuns: MESSAGES })];
    const rcodes = new Map<string, number>();
    for (const [index, lines] of messages.entries()) {
      const [other, own] = await Promise.all([nsupdate(bind, lines), nsupdate(embedded, lines)]);
      const label = `message ${index}:\n${lines.join("\n")}`;
      expect(own.stderr, label).toBe(other.stderr);
      rcodes.set(other.stderr, (rcodes.get(other.stderr) ?? 0) + 1);
      expect(await zoneOf(embedded), label).toEqual(await zoneOf(bind));
    }
    // The histories are worth something only if they reach success and each kind of failure.
    expect([...rcodes.keys()].map((text) => text.trim().split(" ").at(-1)).sort()).toEqual([
      "",
      "NXDOMAIN",
      "NXRRSET",
      "YXDOMAIN",
      "YXRRSET",
    ]);
  });

  test("every question about what they hold is answered alike", async () => {
    for (const name of QUESTIONS)
      for (const type of TYPES) {
        const [other, own] = await Promise.all([
          answerOf(bind, name, type),
          answerOf(embedded, name, type),
        ]);
        expect(own, `${name} ${type}`).toEqual(other);
      }
  });
});
