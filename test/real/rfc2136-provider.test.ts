/**
 * The rfc2136 provider against BIND, Knot and PowerDNS: what it reads, writes, refuses and reports;
 * dig is the judge.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Zone } from "../../src/model/zone.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { pack } from "../../src/sync/calls/pack-batches.ts";
import { digValues } from "../support/clients/dig.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS } from "../support/real-servers/index.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import {
  apply,
  claim,
  group,
  lines,
  NEVER,
  onlyZone,
  openSession,
  read,
  set,
} from "../support/values/rfc2136-session.ts";

const RECORDS = [
  "foreign 300 IN A 192.0.2.200",
  "alias 300 IN CNAME foreign",
  "chain 300 IN CNAME nowhere",
  "*.wild 60 IN A 192.0.2.77",
  "real.wild 60 IN A 192.0.2.78",
  "same.wild 60 IN A 192.0.2.77",
  "ent.under.wild 60 IN A 192.0.2.79",
  "child 300 IN NS ns.elsewhere.test.",
  'text 300 IN TXT "two" "strings \\"quoted\\""',
  'typed 300 IN CAA 0 issue "ca.example"',
  "mail 300 IN MX 10 foreign",
];

describe.each(REAL_SERVERS)("$name", ({ name, needs, start }) => {
  describeReal(`rfc2136 against ${name}`, [needs, "dig"], () => {
    let server: RealServer;
    let session: ProviderSession;
    let zone: Zone;
    const full = (host: string): string => `${host}.example.org`;
    const ask = (host: string, type: string): Promise<readonly string[]> =>
      digValues({ host: server.host, port: server.port, name: full(host), type });

    beforeAll(async () => {
      server = await start({ zone: "example.org", records: RECORDS });
      session = openSession(server);
      zone = await onlyZone(session);
    });
    afterAll(async () => {
      session?.close();
      await server?.stop();
    });

    test("the zone is listed by its SOA", () => {
      expect(zone).toMatchObject({
        id: "example.org",
        name: "example.org",
        providerType: "rfc2136",
      });
      expect(zone.endpoint).toBe(`127.0.0.1:${server.port}`);
    });

    test("a transfer gives every record set, canonical and sorted, with the serial", async () => {
      const { sets, token } = await session.records(zone, null, NEVER);
      expect(token).toBe(await session.changeToken?.(zone, NEVER));
      const all = lines(sets).filter((line) => !line.includes(" SOA "));
      expect(all).toContain("foreign.example.org 300 A 192.0.2.200");
      expect(all).toContain("alias.example.org 300 CNAME foreign.example.org");
      expect(all).toContain('text.example.org 300 TXT "two" "strings \\"quoted\\""');
      expect(all).toContain('typed.example.org 300 CAA 0 issue "ca.example"');
      expect(all).toContain("mail.example.org 300 MX 10 foreign.example.org");
      expect(all).toContain("*.wild.example.org 60 A 192.0.2.77");
      expect(all).toContain("child.example.org 300 NS ns.elsewhere.test");
      expect(sets.map((each) => each.name)).toEqual(sets.map((each) => each.name).toSorted());
    });

    test("reads of single names give the records of the zone, not what a query synthesizes", async () => {
      const asked = ["foreign", "alias", "chain", "nothing", "x.wild", "real.wild", "same.wild"];
      asked.push("under.wild", "x.under.wild", "*.wild", "child", "below.child", "typed");
      expect(await read(session, zone, ...asked.map(full))).toEqual([
        "*.wild.example.org 60 A 192.0.2.77",
        "alias.example.org 300 CNAME foreign.example.org",
        "chain.example.org 300 CNAME nowhere.example.org",
        "child.example.org 300 NS ns.elsewhere.test",
        "foreign.example.org 300 A 192.0.2.200",
        "real.wild.example.org 60 A 192.0.2.78",
        "same.wild.example.org 60 A 192.0.2.77",
        'typed.example.org 300 CAA 0 issue "ca.example"',
      ]);
    });

    test("single names and a transfer agree on every name, apex included", async () => {
      const whole = await session.records(zone, null, NEVER);
      const names = [...new Set(whole.sets.map((each) => each.name))];
      const single = await session.records(zone, names, NEVER);
      expect(lines(single.sets)).toEqual(lines(whole.sets));
    });

    test("create, replace, new TTL, remove", async () => {
      const first = set(full("life"), 60, "A", "192.0.2.1", "192.0.2.2");
      expect(await apply(session, zone, claim(first))).toEqual([
        { name: full("life"), status: "applied" },
      ]);
      expect(await ask("life", "A")).toEqual(["192.0.2.1", "192.0.2.2"]);
      const second = set(full("life"), 60, "A", "192.0.2.2", "192.0.2.3");
      const replace = group([{ op: "replace", previous: first, next: second }], {
        is: "exact",
        set: first,
      });
      expect(await apply(session, zone, replace)).toMatchObject([{ status: "applied" }]);
      expect(await read(session, zone, full("life"))).toEqual([
        "life.example.org 60 A 192.0.2.2,192.0.2.3",
      ]);
      const slow = { ...second, ttlSeconds: 777 };
      const retime = group([{ op: "replace", previous: second, next: slow }], {
        is: "exact",
        set: second,
      });
      expect(await apply(session, zone, retime)).toMatchObject([{ status: "applied" }]);
      expect(await read(session, zone, full("life"))).toEqual([
        "life.example.org 777 A 192.0.2.2,192.0.2.3",
      ]);
      const remove = group([{ op: "remove", previous: slow }], { is: "exact", set: slow });
      expect(await apply(session, zone, remove)).toMatchObject([{ status: "applied" }]);
      expect(await ask("life", "A")).toEqual([]);
    });

    test("A becomes CNAME and back in one message each", async () => {
      const a = set(full("turn"), 60, "A", "192.0.2.1");
      const cname = set(full("turn"), 60, "CNAME", full("foreign"));
      await apply(session, zone, claim(a));
      const forth = group(
        [
          { op: "remove", previous: a },
          { op: "create", next: cname },
        ],
        { is: "exact", set: a },
      );
      expect(await apply(session, zone, forth)).toMatchObject([{ status: "applied" }]);
      expect(await read(session, zone, full("turn"))).toEqual([
        "turn.example.org 60 CNAME foreign.example.org",
      ]);
      const back = group(
        [
          { op: "remove", previous: cname },
          { op: "create", next: a },
        ],
        { is: "exact", set: cname },
      );
      expect(await apply(session, zone, back)).toMatchObject([{ status: "applied" }]);
      expect(await read(session, zone, full("turn"))).toEqual(["turn.example.org 60 A 192.0.2.1"]);
    });

    test("additions that stand before removals in a group are still sent after them", async () => {
      const a = set(full("order"), 60, "A", "192.0.2.1");
      const cname = set(full("order"), 60, "CNAME", full("foreign"));
      await apply(session, zone, claim(a));
      const wrongOrder = group(
        [
          { op: "create", next: cname },
          { op: "remove", previous: a },
        ],
        { is: "exact", set: a },
      );
      expect(await apply(session, zone, wrongOrder)).toMatchObject([{ status: "applied" }]);
      expect(await read(session, zone, full("order"))).toEqual([
        "order.example.org 60 CNAME foreign.example.org",
      ]);
    });

    describe("preconditions", () => {
      const before = set(full("pre"), 60, "A", "192.0.2.1", "192.0.2.2");
      beforeAll(async () => {
        await apply(session, zone, claim(before));
      });
      const attempt = (...conditions: Parameters<typeof group>[1][]) =>
        apply(
          session,
          zone,
          group(
            [{ op: "create", next: set(full("pre-made"), 60, "A", "192.0.2.9") }],
            ...conditions,
          ),
        );

      test.each([
        ["absent, but there", { is: "absent", key: before }],
        ["name unused, but used", { is: "name-unused", name: before.name }],
        ["exact, but a part of it", { is: "exact", set: { ...before, values: ["192.0.2.1"] } }],
        [
          "exact, but more",
          { is: "exact", set: { ...before, values: [...before.values, "192.0.2.3"] } },
        ],
        ["exact, but absent", { is: "exact", set: set(full("gone"), 60, "A", "192.0.2.1") }],
        ["exact, but another type", { is: "exact", set: set(full("pre"), 60, "TXT", '"x"') }],
      ] as const)("%s: precondition-failed, nothing written", async (_, condition) => {
        expect(await attempt(condition)).toMatchObject([{ status: "precondition-failed" }]);
        expect(await ask("pre-made", "A")).toEqual([]);
      });

      test("one failed precondition stops every group of the batch", async () => {
        const outcomes = await apply(
          session,
          zone,
          claim(set(full("batch-a"), 60, "A", "192.0.2.1")),
          claim(set(full("pre"), 60, "A", "192.0.2.3")),
        );
        expect(outcomes).toMatchObject([
          { name: full("batch-a"), status: "precondition-failed" },
          { name: full("pre"), status: "precondition-failed" },
        ]);
        expect(await ask("batch-a", "A")).toEqual([]);
      });

      test("exact does not compare the TTL, nor the order", async () => {
        const same = { ...before, ttlSeconds: 9999, values: before.values.toReversed() };
        const edit = group([{ op: "remove", previous: before }], { is: "exact", set: same });
        expect(await apply(session, zone, edit)).toMatchObject([{ status: "applied" }]);
      });
    });

    test("a record that came meanwhile survives a removal without precondition", async () => {
      const own = set(full("meet"), 60, "A", "192.0.2.1");
      await apply(session, zone, claim(own));
      const other = group([{ op: "create", next: set(full("meet"), 60, "A", "192.0.2.50") }]);
      await apply(session, zone, other);
      await apply(session, zone, group([{ op: "remove", previous: own }]));
      expect(await ask("meet", "A")).toEqual(["192.0.2.50"]);
    });

    test("twenty creators of one name: exactly one wins", async () => {
      const sessions = Array.from({ length: 20 }, () => openSession(server));
      const outcomes = await Promise.all(
        sessions.map((each, index) =>
          apply(each, zone, claim(set(full("prize"), 60, "A", `192.0.2.${index + 1}`))),
        ),
      );
      const winners = outcomes.flatMap(([outcome], index) =>
        outcome?.status === "applied" ? [`192.0.2.${index + 1}`] : [],
      );
      expect(winners).toHaveLength(1);
      expect(await ask("prize", "A")).toEqual(winners);
      const others = outcomes.filter(([outcome]) => outcome?.status === "precondition-failed");
      expect(others).toHaveLength(19);
      for (const each of sessions) each.close();
    });

    test("a batch at the limits fits into one message", async () => {
      const name = (index: number): string => full(`bulk-${index}-of-the-largest`);
      const groups = Array.from({ length: 400 }, (_, index) => {
        const address = set(name(index), 60, "A", `10.9.${index >> 8}.${index & 255}`);
        const text = set(full(`a-bulk-${index}-of-the-largest`), 60, "TXT", `"${"x".repeat(110)}"`);
        const [one, other] = [claim(address), claim(text)];
        const preconditions = [...one.preconditions, ...other.preconditions];
        return { ...one, changes: [...one.changes, ...other.changes], preconditions };
      });
      const [batch = []] = pack(groups, { ...session.capabilities, apex: zone.name });
      expect(batch.length).toBeGreaterThan(150);
      const outcomes = await apply(session, zone, ...batch);
      expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(["applied"]));
      expect(await ask(`bulk-${batch.length - 1}-of-the-largest`, "A")).toHaveLength(1);
    });

    test("every writable type and awkward text comes back as it was written", async () => {
      const awkward = set(
        full("kinds"),
        60,
        "TXT",
        '"semi;colon \\"q\\" back\\\\slash \\195\\169 \\000"',
        `"${"x".repeat(255)}" "y"`,
        '""',
      );
      const sets = [
        awkward,
        set(full("kinds"), 60, "AAAA", "2001:db8::1"),
        set(full("kinds"), 60, "MX", "10 foreign.example.org"),
        set(full("_sip._tcp.kinds"), 60, "SRV", "1 2 5060 foreign.example.org"),
        set(full("ptr"), 60, "PTR", "foreign.example.org"),
        set(full("*.star"), 0, "A", "192.0.2.1"),
        set(full("sub"), 60, "NS", "ns.elsewhere.test"),
      ];
      for (const each of sets)
        expect([each.type, await apply(session, zone, claim(each))]).toMatchObject([
          each.type,
          [{ status: "applied" }],
        ]);
      const whole = await session.records(zone, null, NEVER);
      const written = new Set(sets.map((each) => `${each.name} ${each.type}`));
      const back = whole.sets.filter((each) => written.has(`${each.name} ${each.type}`));
      expect(lines(back)).toEqual(lines(sets).toSorted());
    });

    test("a name outside the zone is rejected", async () => {
      const outside = claim(set("www.elsewhere.test", 60, "A", "192.0.2.1"));
      expect(await apply(session, zone, outside)).toMatchObject([
        { status: "rejected", code: "NOTZONE" },
      ]);
    });

    test("changes since a serial", async () => {
      const token = await session.changeToken?.(zone, NEVER);
      expect(await session.changesSince?.(zone, token ?? "", NEVER)).toEqual({ token, names: [] });
      await apply(session, zone, claim(set(full("moved"), 60, "A", "192.0.2.1")));
      const delta = await session.changesSince?.(zone, token ?? "", NEVER);
      expect(delta?.token).toBe(await session.changeToken?.(zone, NEVER));
      expect(delta?.token).not.toBe(token);
      expect(delta?.names).toEqual(name === "PowerDNS" ? null : [full("moved")]);
    });

    test("a serial from the future or no serial at all gives no delta", async () => {
      const token = await session.changeToken?.(zone, NEVER);
      expect(await session.changesSince?.(zone, String(Number(token) + 1000), NEVER)).toEqual({
        token,
        names: null,
      });
      expect(await session.changesSince?.(zone, "unset", NEVER)).toEqual({ token, names: null });
    });

    describe("credentials", () => {
      const next = set(full("denied"), 60, "A", "192.0.2.1");
      const other = Buffer.from("some other secret of 32 bytes!!!").toString("base64");
      test.each([
        ["another secret", { TSIGSecret: other }],
        ["an unknown key", { TSIGKeyName: "nobody." }],
        ["another algorithm", { TSIGSecretAlgorithm: "hmac-sha512" }],
      ])("%s: retry with cause and remedy, nothing written", async (_, secret) => {
        const outsider = openSession(server, secret);
        const [outcome] = await apply(outsider, zone, claim(next));
        expect(outcome).toMatchObject({ status: "retry" });
        expect(outcome?.status === "retry" && outcome.message).toMatch(/secret|key/);
        expect(JSON.stringify(outcome)).not.toContain(other);
        expect(await ask("denied", "A")).toEqual([]);
        await expect(outsider.records(zone, null, NEVER)).rejects.toMatchObject({
          name: "OperationError",
          code: "BadCredentials",
        });
        outsider.close();
      });

      test("a clock that is off by an hour is told apart where the server does", async () => {
        const clock = { nowMs: () => Date.now() + 3_600_000 };
        const real = (await import("../support/values/rfc2136-session.ts")).realEnvironment().clock;
        const skewed = openSession(
          server,
          {},
          {
            clock: {
              nowMs: clock.nowMs,
              monotonicMs: () => real.monotonicMs(),
              setTimer: (delayMs, callback) => real.setTimer(delayMs, callback),
            },
          },
        );
        const [outcome] = await apply(skewed, zone, claim(next));
        expect(outcome).toMatchObject({ status: "retry" });
        if (name !== "PowerDNS")
          expect(outcome?.status === "retry" && outcome.message).toMatch(
            /3(599|600|601) seconds behind/,
          );
        skewed.close();
      });
    });

    test("a zone that is not served is an error that says what the server answered", async () => {
      const outsider = openSession({ ...server, zone: "unserved.test" });
      await expect(outsider.zones(NEVER)).rejects.toMatchObject({
        name: "OperationError",
        message: expect.stringMatching(/SOA of unserved\.test.*(REFUSED|NOTAUTH)/),
      });
      const away = { ...zone, id: "unserved.test", name: trustedDnsName("unserved.test") };
      const [outcome] = await apply(
        outsider,
        away,
        claim(set("a.unserved.test", 60, "A", "192.0.2.1")),
      );
      expect(outcome).toMatchObject({ status: "retry" });
      outsider.close();
    });

    test("a name inside the zone that is no zone is an error too", async () => {
      const outsider = openSession({ ...server, zone: "foreign.example.org" });
      await expect(outsider.zones(NEVER)).rejects.toMatchObject({ code: "ZoneNotServed" });
      outsider.close();
    });

    test("a dry run cannot write, and can read", async () => {
      const dry = openSession(server, {}, { dryRun: true });
      await expect(
        apply(dry, zone, claim(set(full("dry"), 60, "A", "192.0.2.1"))),
      ).rejects.toMatchObject({ code: "DryRun" });
      expect(await ask("dry", "A")).toEqual([]);
      expect(await read(dry, zone, full("foreign"))).toHaveLength(1);
      dry.close();
    });

    test("a CNAME beside other data: refused or dropped, never credentials trouble", async () => {
      const clash = group([
        { op: "create", next: set(full("foreign"), 60, "CNAME", full("alias")) },
      ]);
      const [outcome] = await apply(session, zone, clash);
      if (name === "PowerDNS")
        expect(outcome).toMatchObject({ status: "rejected", code: "REFUSED" });
      else expect(outcome).toMatchObject({ status: "applied" });
      expect(await read(session, zone, full("foreign"))).toEqual([
        "foreign.example.org 300 A 192.0.2.200",
      ]);
    });

    test("a restart of the server costs a reconnect, not the session", async () => {
      await server.restart();
      expect(await read(session, zone, full("foreign"))).toHaveLength(1);
      const again = claim(set(full("after-restart"), 60, "A", "192.0.2.1"));
      expect(await apply(session, zone, again)).toMatchObject([{ status: "applied" }]);
    });

    test("a server that is down: retry, and a load that throws", async () => {
      await server.kill9();
      const outcome = await apply(session, zone, claim(set(full("down"), 60, "A", "192.0.2.1")));
      expect(outcome).toMatchObject([{ status: "retry" }]);
      await expect(session.records(zone, null, NEVER)).rejects.toMatchObject({
        code: "Unreachable",
      });
      await server.restart();
      expect(await read(session, zone, full("down"))).toEqual([]);
    });
  });
});
