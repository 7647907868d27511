/**
 * Writes against scripted servers: lost, late, false and broken answers. Real servers: test/real.
 */
import { responseTo } from "@zonekeeper/dns/wire/message/compose";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Rcode } from "@zonekeeper/dns/wire/message/message";
import { beforeEach, describe, expect, test } from "vitest";
import { type Exchange, ScriptedServer } from "../../../test/support/ports/scripted-server.ts";
import {
  apply,
  claim,
  NEVER,
  openUnsigned,
  set,
} from "../../../test/support/values/rfc2136-session.ts";
import { SigningBench, soa, unsigned, ZONE } from "../../../test/support/worlds/signing-bench.ts";
import { ANSWER_TIMEOUT_MS, CONNECTIONS_MAX, IDLE_MS_MAX } from "./limits.ts";

const change = claim(set("www.example.org", 60, "A", "192.0.2.1"));
let bench: SigningBench;
beforeEach(() => {
  bench = new SigningBench();
});
/** Answers with a response code, signed; `bench` is looked up when the request is there. */
const signed = (rcode: Rcode) => (exchange: Exchange) => bench.signed(rcode)(exchange);

describe("outcomes of an UPDATE", () => {
  test.each<[string, (exchange: Exchange) => void, object]>([
    ["signed NOERROR", signed("NOERROR"), { status: "applied" }],
    ["signed YXDOMAIN", signed("YXDOMAIN"), { status: "precondition-failed" }],
    ["signed YXRRSET", signed("YXRRSET"), { status: "precondition-failed" }],
    ["signed NXRRSET", signed("NXRRSET"), { status: "precondition-failed" }],
    ["signed NXDOMAIN", signed("NXDOMAIN"), { status: "precondition-failed" }],
    ["signed REFUSED", signed("REFUSED"), { status: "rejected", code: "REFUSED" }],
    ["signed NOTAUTH", signed("NOTAUTH"), { status: "retry" }],
    ["signed SERVFAIL", signed("SERVFAIL"), { status: "retry" }],
    ["signed FORMERR", signed("FORMERR"), { status: "rejected", code: "FORMERR" }],
    ["signed NOTIMP", signed("NOTIMP"), { status: "rejected", code: "NOTIMP" }],
    ["signed NOTZONE", signed("NOTZONE"), { status: "rejected", code: "NOTZONE" }],
    ["unsigned NOERROR", unsigned("NOERROR"), { status: "unknown" }],
    ["unsigned YXDOMAIN", unsigned("YXDOMAIN"), { status: "unknown" }],
    ["unsigned REFUSED", unsigned("REFUSED"), { status: "retry" }],
    ["unsigned NOTAUTH", unsigned("NOTAUTH"), { status: "retry" }],
    ["unsigned SERVFAIL", unsigned("SERVFAIL"), { status: "retry" }],
    ["unsigned FORMERR", unsigned("FORMERR"), { status: "rejected", code: "FORMERR" }],
    ["hanging up after the request", (exchange) => exchange.hangUp(), { status: "unknown" }],
    [
      "an answer that is cut",
      (exchange) => {
        exchange.raw(Uint8Array.of(0, 50, 1, 2, 3));
        exchange.hangUp();
      },
      { status: "unknown" },
    ],
    ["silence", () => {}, { status: "unknown", message: expect.stringContaining("10000 ms") }],
    [
      "bytes that are no message",
      (exchange) => exchange.reply(exchange.request.slice(0, 5)),
      { status: "unknown" },
    ],
    [
      "the request sent back",
      (exchange) => exchange.reply(exchange.request),
      { status: "unknown" },
    ],
  ])("%s", async (_, script, outcome) => {
    const session = bench.session(new ScriptedServer(script));
    const outcomes = await bench.during(apply(session, ZONE, change), ANSWER_TIMEOUT_MS);
    expect(outcomes).toMatchObject([{ name: "www.example.org", ...outcome }]);
  });

  test.each<[string, (exchange: Exchange) => void, true | undefined]>([
    ["signed SERVFAIL", signed("SERVFAIL"), true],
    ["unsigned SERVFAIL", unsigned("SERVFAIL"), true],
    ["signed NOTAUTH", signed("NOTAUTH"), undefined],
    ["unsigned REFUSED", unsigned("REFUSED"), undefined],
  ])("%s: whether it may take effect all the same: %s", async (_, script, mayStand) => {
    const outcomes = await apply(bench.session(new ScriptedServer(script)), ZONE, change);
    expect(outcomes.map((one) => ("mayStand" in one ? one.mayStand : undefined))).toEqual([
      mayStand,
    ]);
  });

  test("an answer whose signature is wrong proves nothing", async () => {
    const server = new ScriptedServer((exchange) => {
      const { message, signer } = bench.opened(exchange);
      const bytes = signer.sign(
        encodeMessage(responseTo(message, "NOERROR", true)),
        bench.nowSeconds(),
      );
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      exchange.reply(bytes);
    });
    expect(await apply(bench.session(server), ZONE, change)).toMatchObject([{ status: "unknown" }]);
  });

  test("a server that is down: retry, and the next call connects again", async () => {
    const server = new ScriptedServer(signed("NOERROR"));
    server.isDown = true;
    const session = bench.session(server);
    expect(await apply(session, ZONE, change)).toMatchObject([
      { status: "retry", message: expect.stringContaining("cannot be reached") },
    ]);
    server.isDown = false;
    expect(await apply(session, ZONE, change)).toMatchObject([{ status: "applied" }]);
  });

  test("stopped before sending: retry; stopped while waiting: unknown", async () => {
    const session = bench.session(new ScriptedServer(() => {}));
    const collect = async (signal: AbortSignal) => {
      const outcomes = [];
      for await (const outcome of session.apply(ZONE, [change], signal)) outcomes.push(outcome);
      return outcomes;
    };
    expect(await collect(AbortSignal.abort())).toMatchObject([{ status: "retry" }]);
    const controller = new AbortController();
    const waiting = collect(controller.signal);
    await bench.clock.advance(10);
    controller.abort();
    expect(await waiting).toMatchObject([{ status: "unknown" }]);
  });

  test.each<["BADKEY" | "BADSIG" | "BADTIME", string]>([
    ["BADKEY", "does not know a key of this name with this algorithm"],
    ["BADSIG", "its secret for this key differs"],
    ["BADTIME", "the server is 7200 seconds behind; set both by NTP"],
  ])("%s: retry, with the cause in the message", async (error, cause) => {
    const server = new ScriptedServer((exchange) => bench.refusing(error)(exchange));
    const [outcome] = await apply(bench.session(server), ZONE, change);
    expect(outcome).toMatchObject({ status: "retry", message: expect.stringContaining(cause) });
    expect(JSON.stringify(outcome)).not.toContain("secret-value");
  });

  test.each<[Rcode, string]>([
    ["NOERROR", "applied"],
    ["YXRRSET", "precondition-failed"],
    ["REFUSED", "retry"],
    ["NOTAUTH", "retry"],
    ["FORMERR", "rejected"],
  ])("without a key %s is %s, and nothing is signed", async (rcode, status) => {
    const server = new ScriptedServer(unsigned(rcode));
    const target = { host: "127.0.0.1", port: 53, zone: "example.org" } as const;
    const session = openUnsigned(target, { net: server, clock: bench.clock });
    expect(await apply(session, ZONE, change)).toMatchObject([{ status }]);
    const [request] = server.requests;
    expect(request?.[11]).toBe(0);
  });

  test("a change that cannot be written is rejected and not sent", async () => {
    const server = new ScriptedServer(signed("NOERROR"));
    const bad = claim(set("www.example.org", 60, "A", "no address"));
    expect(await apply(bench.session(server), ZONE, bad)).toMatchObject([
      { status: "rejected", code: "BadRequest" },
    ]);
    expect(server.requests).toHaveLength(0);
  });

  test("no groups, no message", async () => {
    const server = new ScriptedServer(signed("NOERROR"));
    expect(await apply(bench.session(server), ZONE)).toEqual([]);
    expect(server.connections).toBe(0);
  });
});

describe("connections", () => {
  test("one is kept while it is fresh, and replaced when it was idle", async () => {
    const server = new ScriptedServer(signed("NOERROR"));
    const session = bench.session(server);
    await apply(session, ZONE, change);
    await apply(session, ZONE, change);
    expect(server.connections).toBe(1);
    await bench.clock.advance(IDLE_MS_MAX);
    expect(await apply(session, ZONE, change)).toMatchObject([{ status: "applied" }]);
    expect(server.connections).toBe(2);
  });

  test("one that the server closed while it was idle is not used", async () => {
    const server = new ScriptedServer(signed("NOERROR"));
    const session = bench.session(server);
    await apply(session, ZONE, change);
    server.hangUpAll();
    await bench.clock.advance(1);
    expect(await apply(session, ZONE, change)).toMatchObject([{ status: "applied" }]);
    expect(server.connections).toBe(2);
  });

  test("after a timeout a new one is opened", async () => {
    const server = new ScriptedServer((exchange) => {
      if (exchange.connection > 1) signed("NOERROR")(exchange);
    });
    const session = bench.session(server);
    expect(await bench.during(apply(session, ZONE, change), ANSWER_TIMEOUT_MS)).toMatchObject([
      { status: "unknown" },
    ]);
    expect(await apply(session, ZONE, change)).toMatchObject([{ status: "applied" }]);
  });

  test("requests at the same time have a connection each, up to a bound; the others wait", async () => {
    const waiting: Exchange[] = [];
    const server = new ScriptedServer((exchange) => void waiting.push(exchange));
    const session = bench.session(server);
    const hosts = Array.from(
      { length: CONNECTIONS_MAX + 2 },
      (_, index) => `h${index}.example.org`,
    );
    const work = Promise.all(
      hosts.map((host) => apply(session, ZONE, claim(set(host, 60, "A", "192.0.2.1")))),
    );
    await bench.clock.advance(1);
    expect(waiting).toHaveLength(CONNECTIONS_MAX);
    for (const exchange of waiting.splice(0).toReversed()) {
      const { message } = bench.opened(exchange);
      signed(message.authority[0]?.name === hosts[1] ? "YXRRSET" : "NOERROR")(exchange);
    }
    await bench.clock.advance(1);
    for (const exchange of waiting.splice(0)) signed("NOERROR")(exchange);
    const statuses = (await work).map(([outcome]) => outcome?.status);
    expect(statuses).toEqual(
      hosts.map((_, index) => (index === 1 ? "precondition-failed" : "applied")),
    );
    expect(server.connections).toBe(CONNECTIONS_MAX);
  });

  test("an answer to an earlier request is not taken for this one", async () => {
    const late: Exchange[] = [];
    const server = new ScriptedServer((exchange) => {
      late.push(exchange);
      const [first] = late;
      if (first !== undefined && late.length === 2)
        signed("NOERROR")({ ...exchange, request: first.request });
    });
    const session = bench.session(server);
    const controller = new AbortController();
    const first = (async () => {
      for await (const outcome of session.apply(ZONE, [change], controller.signal)) return outcome;
      return null;
    })();
    await bench.clock.advance(1);
    controller.abort();
    expect(await first).toMatchObject({ status: "unknown" });
    const second = bench.during(apply(session, ZONE, change), ANSWER_TIMEOUT_MS);
    expect(await second).toMatchObject([{ status: "unknown" }]);
    expect(server.connections).toBe(1);
  });

  test("closed sessions open nothing", async () => {
    const server = new ScriptedServer(signed("NOERROR"));
    const session = bench.session(server);
    session.close();
    expect(await apply(session, ZONE, change)).toMatchObject([{ status: "retry" }]);
    expect(server.connections).toBe(0);
  });

  test("in a dry run no UPDATE leaves, and queries do", async () => {
    const server = new ScriptedServer((exchange) => {
      const { message, answer } = bench.opened(exchange);
      answer({ ...responseTo(message, "NOERROR", true), answer: [soa(7)] });
    });
    const session = bench.session(server, true);
    await expect(apply(session, ZONE, change)).rejects.toMatchObject({ code: "DryRun" });
    expect(server.requests).toHaveLength(0);
    expect(await session.changeToken?.(ZONE, NEVER)).toBe("7");
  });

  test("while its zone is paused no UPDATE leaves, and queries do; it is asked for each call", async () => {
    const server = new ScriptedServer((exchange) => {
      const { message, answer } = bench.opened(exchange);
      answer({ ...responseTo(message, "NOERROR", true), answer: [soa(7)] });
    });
    const paused = new Set(["example.org"]);
    const session = bench.session(server, false, (zone) =>
      zone === null || paused.has(zone) ? `${zone} is paused` : null,
    );
    await expect(apply(session, ZONE, change)).rejects.toMatchObject({
      code: "Paused",
      message: "example.org is paused; the change was not sent",
    });
    expect(server.requests).toHaveLength(0);
    expect(await session.changeToken?.(ZONE, NEVER)).toBe("7");
    paused.clear();
    expect(await apply(session, ZONE, change)).toMatchObject([{ status: "applied" }]);
  });
});
