/**
 * EDNS(0) of the embedded server (RFC 6891), judged by dig with the questions of the public EDNS
 * compliance tester (ednscomp.isc.org): what is unknown is ignored and never echoed, what is too
 * new is BADVERS.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { runOk } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";

const LONG = Array.from({ length: 40 }, (_, i) => `big 60 TXT "number ${i} of a long record set"`);

describeReal("EDNS of the embedded server", ["dig"], () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startEmbedded({ zone: "example.org", records: LONG });
  });
  afterAll(() => server?.stop());

  const ask = (...args: readonly string[]) =>
    runOk("dig", [
      "@127.0.0.1",
      "-p",
      String(server.port),
      ...["+norec", "+noad", "+time=5", "+tries=1", "+qr", "+nocookie"],
      ...args,
    ]).then((text) => {
      const [, answer = ""] = text.split(";; Got answer:");
      return {
        status: /status: (\w+)/.exec(answer)?.[1],
        flags: /;; flags: ([a-z ]*);/.exec(answer)?.[1]?.trim(),
        edns: /; EDNS: (.*)/.exec(answer)?.[1] ?? null,
        options: /; (?:OPT=|COOKIE|CLIENT-SUBNET|PAD|TCP KEEPALIVE|NSID)/.test(answer),
        hasSoa: /\sIN\sSOA\s/.test(answer.split("ANSWER SECTION")[1] ?? ""),
      };
    });
  const V0 = "version: 0, flags:; udp: 1232";
  const DO = "version: 0, flags: do; udp: 1232";

  test.each<[string, readonly string[], string | null]>([
    ["plain DNS", ["+noedns"], null],
    ["EDNS", ["+edns=0"], V0],
    ["a large buffer", ["+edns=0", "+bufsize=65535"], V0],
    ["an unknown option", ["+edns=0", "+ednsopt=100"], V0],
    ["an unknown option with data", ["+edns=0", "+ednsopt=100:aabbccdd"], V0],
    ["unknown flags: they do not come back", ["+edns=0", "+ednsflags=0x80"], V0],
    ["DO", ["+edns=0", "+dnssec"], DO],
    ["DO and everything else", ["+dnssec", "+ednsopt=100", "+ednsflags=0x80"], DO],
    ["a client cookie", ["+edns=0", "+cookie"], V0],
    ["a client subnet", ["+edns=0", "+subnet=192.0.2.0/24"], V0],
    ["NSID", ["+edns=0", "+nsid"], V0],
    ["padding and keepalive over TCP", ["+tcp", "+keepalive", "+padding=128"], V0],
  ])("%s: NOERROR, and nothing is echoed", async (_what, args, edns) => {
    expect(await ask(...args, "example.org", "SOA")).toEqual({
      status: "NOERROR",
      flags: "qr aa",
      edns,
      options: false,
      hasSoa: true,
    });
  });

  test.each([
    ["a later version", ["+edns=100", "+noednsneg"]],
    ["a later version with an unknown option", ["+edns=1", "+noednsneg", "+ednsopt=100"]],
    ["a later version with unknown flags", ["+edns=1", "+noednsneg", "+ednsflags=0x80"]],
  ])("%s: BADVERS with ours, and no answer", async (_what, args) => {
    expect(await ask(...args, "example.org", "SOA")).toEqual({
      status: "BADVERS",
      flags: "qr",
      edns: V0,
      options: false,
      hasSoa: false,
    });
  });

  test("a set that does not fit is left out whole, with TC; over TCP it is there", async () => {
    const small = await ask("+bufsize=512", "+ignore", "big.example.org", "TXT");
    expect(small).toMatchObject({ status: "NOERROR", flags: "qr aa tc", edns: V0 });
    const whole = await runOk("dig", [
      ...["@127.0.0.1", "-p", String(server.port), "+tcp", "+short"],
      ...["big.example.org", "TXT"],
    ]);
    expect(whole.trim().split("\n")).toHaveLength(LONG.length);
  });
});
