/**
 * Reads against scripted servers: broken transfers, made-up answers, deltas. Real servers:
 * test/real.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { queryMessage, responseTo } from "@zonekeeper/dns/wire/message/compose";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message, Rcode, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { fullTransfer, transferMessages } from "@zonekeeper/dns/wire/transfer/transfer-writer";
import { beforeEach, describe, expect, test } from "vitest";
import { type Exchange, ScriptedServer } from "../../../test/support/ports/scripted-server.ts";
import { lines, NEVER } from "../../../test/support/values/rfc2136-session.ts";
import {
  a,
  decodedRequest,
  SigningBench,
  soa,
  unsigned,
  ZONE,
} from "../../../test/support/worlds/signing-bench.ts";
import {
  NAMES_BY_QUERY_MAX,
  NAMES_BY_QUERY_MIN,
  SETS_PER_NAME,
  TRANSFER_TIMEOUT_MS,
  TRANSFER_TOTAL_MS,
  TRANSFERS_MAX,
} from "./limits.ts";

let bench: SigningBench;
beforeEach(() => {
  bench = new SigningBench();
});
/** Answers with a response code, signed; `bench` is looked up when the request is there. */
const signed = (rcode: Rcode) => (exchange: Exchange) => bench.signed(rcode)(exchange);

describe("loading a zone is complete or thrown (Z-6)", () => {
  const records = Array.from({ length: 3000 }, (_, index) =>
    a(`h${index}.example.org`, `10.0.${index >> 8}.${index & 255}`),
  );
  const query = queryMessage(1, { name: ZONE.name, type: "AXFR" });
  /** Sends the messages of a transfer that `keep` selects; signs those that `sign` selects. */
  const transfer =
    (
      keep: (index: number, count: number) => boolean,
      sign: (index: number, count: number) => boolean,
    ) =>
    (exchange: Exchange) => {
      const { signer } = bench.opened(exchange);
      const id = decodedRequest(exchange).id;
      const messages = [...transferMessages({ ...query, id }, fullTransfer(soa(9), records))];
      for (const [index, message] of messages.entries()) {
        const bytes = encodeMessage(message);
        const isSigned = sign(index, messages.length);
        const sent = isSigned ? signer.sign(bytes, bench.nowSeconds()) : bytes;
        if (keep(index, messages.length)) exchange.reply(sent);
      }
    };
  const all = () => true;
  const load = (script: (exchange: Exchange) => void) =>
    bench.during(
      bench.session(new ScriptedServer(script)).records(ZONE, null, NEVER),
      2 * TRANSFER_TIMEOUT_MS,
    );

  test("a transfer without an end is aborted", async () => {
    const script = (exchange: Exchange) => {
      const { message, signer } = bench.opened(exchange);
      const send = (record: ResourceRecord) => {
        const part = { ...responseTo(message, "NOERROR", true), answer: [record] };
        exchange.reply(signer.sign(encodeMessage(part), bench.nowSeconds()));
        bench.clock.setTimer(TRANSFER_TIMEOUT_MS / 2, () => send(a("x.example.org", "192.0.2.1")));
      };
      send(soa(9));
    };
    const session = bench.session(new ScriptedServer(script));
    const loading = session.records(ZONE, null, NEVER);
    await expect(bench.during(loading, 2 * TRANSFER_TOTAL_MS)).rejects.toMatchObject({
      code: "BadAnswer",
      message: expect.stringContaining("did not end within 900 seconds"),
    });
    session.close();
  });

  test("a few at a time, signed when their turn comes: servers refuse many at once", async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    // `opened` verifies the signature when the request is there: it is good for five minutes.
    const server = new ScriptedServer((exchange) => {
      const { message, answer } = bench.opened(exchange);
      most = Math.max(most, waiting.length + 1);
      waiting.push(() => {
        for (const part of transferMessages(message, fullTransfer(soa(9), []))) answer(part);
      });
    });
    const session = bench.session(server);
    const loads = Array.from({ length: 4 * TRANSFERS_MAX }, () =>
      session.records(ZONE, null, NEVER),
    );
    for (let turn = 0; turn < 4; turn += 1) {
      await bench.clock.advance(TRANSFER_TIMEOUT_MS / 2);
      expect(waiting).toHaveLength(TRANSFERS_MAX);
      for (const end of waiting.splice(0)) end();
    }
    expect(await bench.during(Promise.all(loads), 1_000)).toHaveLength(4 * TRANSFERS_MAX);
    expect(most).toBe(TRANSFERS_MAX);
  });

  test("every message signed", async () => {
    const snapshot = await load(transfer(all, all));
    expect(snapshot.sets).toHaveLength(3001);
    expect(snapshot.token).toBe("9");
  });

  test.each<[string, (exchange: Exchange) => void, string]>([
    ["the last message is missing", transfer((index, count) => index < count - 1, all), "NoAnswer"],
    ["a message in the middle is missing", transfer((index) => index !== 1, all), "BadAnswer"],
    ["the first message is not signed", transfer(all, (index) => index > 0), "BadAnswer"],
    [
      "the last message is not signed",
      transfer(all, (index, count) => index < count - 1),
      "BadAnswer",
    ],
    [
      "the server hangs up midway",
      (exchange) => {
        transfer((index) => index === 0, all)(exchange);
        exchange.hangUp();
      },
      "NoAnswer",
    ],
    ["the server refuses", signed("REFUSED"), "ServerRefused"],
    ["the server refuses without signature", unsigned("REFUSED"), "BadCredentials"],
    ["the server fails", signed("SERVFAIL"), "ServerFailed"],
  ])("%s: thrown", async (_, script, code) => {
    await expect(load(script)).rejects.toMatchObject({ name: "OperationError", code });
  });

  test("a refused transfer says where the key belongs", async () => {
    await expect(load(signed("REFUSED"))).rejects.toMatchObject({
      message: expect.stringContaining("name the key in the zone's allow-transfer"),
    });
  });

  test("records outside the zone and those that a signing server makes are left out", async () => {
    const odd = [
      a("www.elsewhere.test", "192.0.2.1"),
      { ...a("www.example.org", "\\# 1 00"), type: "RRSIG" },
      { ...a("www.example.org", "\\# 1 00"), type: "NSEC" },
      a("www.example.org", "192.0.2.2"),
      { ...a("www.example.org", "192.0.2.1"), ttlSeconds: 30 },
    ];
    const snapshot = await load((exchange) => {
      const { message, answer } = bench.opened(exchange);
      for (const part of transferMessages(message, fullTransfer(soa(9), odd))) answer(part);
    });
    expect(lines(snapshot.sets).slice(1)).toEqual(["www.example.org 30 A 192.0.2.1,192.0.2.2"]);
  });

  test("many names are read from one transfer", async () => {
    const names = records.slice(0, NAMES_BY_QUERY_MAX + 1).map((record) => record.name);
    const server = new ScriptedServer(transfer(all, all));
    const snapshot = await bench.session(server).records(ZONE, names, NEVER);
    expect(snapshot.sets).toHaveLength(names.length);
    expect(server.requests).toHaveLength(1);
  });

  test("where a transfer is known to be small, it takes the place of queries for a few names", async () => {
    const enough = NAMES_BY_QUERY_MIN + Math.ceil(records.length / SETS_PER_NAME);
    const names = records.slice(0, enough).map((record) => record.name);
    const server = new ScriptedServer(transfer(all, all));
    const session = bench.session(server);
    await session.records(ZONE, null, NEVER);
    const snapshot = await session.records(ZONE, names, NEVER);
    expect(snapshot.sets).toHaveLength(names.length);
    expect(server.requests).toHaveLength(2);
  });
});

describe("zones", () => {
  const zones = (reply: Partial<Message>) => {
    const server = new ScriptedServer((exchange) => {
      const { message, answer } = bench.opened(exchange);
      answer({ ...responseTo(message, "NOERROR", true), ...reply });
    });
    return bench.session(server).zones(NEVER);
  };

  test("a zone that the server is authoritative for", async () => {
    expect(await zones({ answer: [soa(1)] })).toEqual([{ ...ZONE, endpoint: "127.0.0.1:53" }]);
  });

  test.each<[string, Partial<Message>, string, string]>([
    ["no SOA there", {}, "ZoneNotServed", "the name is no zone"],
    [
      "not authoritative",
      { answer: [soa(1)], authoritative: false },
      "ZoneNotServed",
      "not authoritative",
    ],
    ["REFUSED", { rcode: "REFUSED" }, "ServerRefused", "REFUSED"],
    ["NXDOMAIN", { rcode: "NXDOMAIN" }, "ServerRefused", "no such name"],
    ["SERVFAIL", { rcode: "SERVFAIL" }, "ServerFailed", "still loading"],
  ])("%s: thrown, with the server's answer", async (_, reply, code, pattern) => {
    await expect(zones(reply)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(
        new RegExp(`SOA of example.org at 127.0.0.1:53: .*${pattern}`),
      ),
    });
  });

  test("a wrong clock is an error with the difference", async () => {
    const server = new ScriptedServer((exchange) => bench.refusing("BADTIME")(exchange));
    await expect(bench.session(server).zones(NEVER)).rejects.toMatchObject({
      code: "ClockSkew",
      message: expect.stringContaining("7200 seconds behind"),
    });
  });
});

describe("single names", () => {
  /** A server that answers each query from a function, and transfers `whole`. */
  const answering = (
    reply: (name: string, type: string) => Partial<Message>,
    whole: readonly ResourceRecord[] = [],
  ) =>
    new ScriptedServer((exchange) => {
      const { message, answer } = bench.opened(exchange);
      const [question] = message.question;
      if (question === undefined) throw new Error("no question");
      const base = responseTo(message, "NOERROR", true);
      if (question.type === "AXFR")
        for (const part of transferMessages(message, fullTransfer(soa(9), whole))) answer(part);
      else if (question.type === "SOA") answer({ ...base, answer: [soa(9)] });
      else answer({ ...base, ...reply(question.name, question.type) });
    });
  const read = async (server: ScriptedServer, ...names: string[]) =>
    lines((await bench.session(server).records(ZONE, names.map(trustedDnsName), NEVER)).sets);
  const absent: Partial<Message> = { rcode: "NXDOMAIN" };

  test("a made-up answer to ANY is no data (RFC 8482)", async () => {
    const server = answering((name, type) => {
      if (name !== "www.example.org") return absent;
      if (type === "ANY") return { answer: [{ ...a(name, "\\# 0"), type: "HINFO" }] };
      return type === "A" ? { answer: [a(name, "192.0.2.1")] } : {};
    });
    expect(await read(server, "www.example.org")).toEqual(["www.example.org 60 A 192.0.2.1"]);
  });

  test("equal answers for a random sibling are settled by a transfer", async () => {
    const wild = (name: string, type: string) =>
      type === "A" ? { answer: [a(name, "192.0.2.7")] } : {};
    expect(await read(answering(wild), "www.example.org")).toEqual([]);
    const really = answering(wild, [a("www.example.org", "192.0.2.7")]);
    expect(await read(really, "www.example.org")).toEqual(["www.example.org 60 A 192.0.2.7"]);
  });

  test("a wildcard that goes away meanwhile is noticed", async () => {
    let probes = 0;
    const server = answering((name, type) => {
      if (name.startsWith("probe-") && type === "A") probes += 1;
      if (name.startsWith("probe-") && probes > 2) return absent;
      return type === "A" ? { answer: [a(name, "192.0.2.7")] } : {};
    });
    expect(await read(server, "www.example.org")).toEqual([]);
  });

  test("referrals and DNAME answers are settled by a transfer", async () => {
    const referral = answering(
      () => ({ authoritative: false }),
      [a("x.sub.example.org", "192.0.2.9")],
    );
    expect(await read(referral, "x.sub.example.org")).toEqual(["x.sub.example.org 60 A 192.0.2.9"]);
    const dname = answering((name) => ({
      answer: [
        { ...a("d.example.org", "elsewhere.test"), type: "DNAME" },
        { ...a(name, "x.elsewhere.test"), type: "CNAME" },
      ],
    }));
    expect(await read(dname, "x.d.example.org")).toEqual([]);
  });

  test("names outside the zone are not asked for", async () => {
    const server = answering(() => absent);
    expect(await read(server, "www.elsewhere.test")).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test("a refusal is thrown, not read as absence", async () => {
    const server = answering((_, type) => (type === "TXT" ? { rcode: "REFUSED" } : absent));
    await expect(read(server, "www.example.org")).rejects.toMatchObject({ code: "ServerRefused" });
  });
});

describe("changes since a serial", () => {
  const since = (script: (exchange: Exchange) => void, token = "5") =>
    bench.session(new ScriptedServer(script)).changesSince?.(ZONE, token, NEVER);

  test("a server that does not know IXFR gives no delta", async () => {
    const script = (exchange: Exchange) => {
      const { message, answer } = bench.opened(exchange);
      const isSoa = message.question[0]?.type === "SOA";
      answer({
        ...responseTo(message, isSoa ? "NOERROR" : "NOTIMP", true),
        answer: isSoa ? [soa(9)] : [],
      });
    };
    expect(await since(script)).toEqual({ token: "9", names: null });
  });

  test("names of every step, each once, and what became of their records", async () => {
    const script = (exchange: Exchange) => {
      const { message, answer } = bench.opened(exchange);
      const steps = [
        soa(5),
        a("b.example.org", "192.0.2.1"),
        soa(6),
        a("b.example.org", "192.0.2.2"),
      ];
      const more = [soa(6), soa(7), a("a.example.org", "192.0.2.2")];
      answer({
        ...responseTo(message, "NOERROR", true),
        answer: [soa(7), ...steps, ...more, soa(7)],
      });
    };
    const { records, ...rest } = (await since(script)) ?? {};
    expect(rest).toEqual({ token: "7", names: ["a.example.org", "b.example.org"] });
    expect(records?.map(({ name, value, isThere }) => [name, value, isThere])).toEqual([
      ["b.example.org", "192.0.2.1", false],
      ["b.example.org", "192.0.2.2", true],
      ["a.example.org", "192.0.2.2", true],
    ]);
  });

  test("a full answer is not read to its end", async () => {
    const script = (exchange: Exchange) => {
      const { message, answer } = bench.opened(exchange);
      answer({
        ...responseTo(message, "NOERROR", true),
        answer: [soa(9), a("x.example.org", "192.0.2.1")],
      });
    };
    expect(await since(script)).toEqual({ token: "9", names: null });
  });
});
