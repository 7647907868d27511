/**
 * The embedded name server, judged by dig, kdig, nsupdate and knsupdate; killed with -9 and started
 * again.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DigQuestion, dig, digValues, transfer } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";

const RECORDS = [
  "www 300 A 192.0.2.1",
  "www 300 AAAA 2001:db8::1",
  "alias CNAME www",
  'text 60 TXT "a b" "c;d"',
  "*.w TXT wild",
  "deep.ent A 192.0.2.2",
  "mail MX 10 www",
  "_sip._tcp SRV 1 2 5060 www.example.org",
  "sub NS ns.sub",
  "ns.sub A 192.0.2.53",
  ...Array.from({ length: 100 }, (_, i) => `many A 198.51.100.${i}`),
  "other A 192.0.2.9",
];

let server: RealServer;
const key = () => server.key;
const ask = (name: string, type = "A", more: Partial<DigQuestion> = {}) =>
  dig({ port: server.port, name: `${name}.example.org`, type, ...more });
const values = (name: string, type = "A") =>
  digValues({ port: server.port, name: `${name}.example.org`, type });
const serial = async () => {
  const [soa = ""] = await digValues({ port: server.port, name: "example.org", type: "SOA" });
  return Number(soa.split(" ")[2]);
};
const signedArgs = () => {
  const { algorithm, name, secretBase64 } = key();
  return ["@127.0.0.1", "-p", String(server.port), "-y", `${algorithm}:${name}:${secretBase64}`];
};
const zone = async () =>
  (await transfer({ port: server.port, name: "example.org", key: key() }))
    .map(({ name, ttlSeconds, type, rdata }) => `${name} ${ttlSeconds} ${type} ${rdata}`)
    .sort();

describeReal("the embedded name server", ["dig", "kdig"], () => {
  beforeAll(async () => {
    server = await startEmbedded({ zone: "example.org", records: RECORDS });
  });
  afterAll(() => server?.stop());

  describe.each(["dig", "kdig"] as const)("asked by %s", (program) => {
    test.each([
      ["www", "A", "NOERROR", ["192.0.2.1"]],
      ["www", "AAAA", "NOERROR", ["2001:db8::1"]],
      ["alias", "A", "NOERROR", ["192.0.2.1", "www.example.org."]],
      ["text", "TXT", "NOERROR", ['"a b" "c;d"']],
      ["x.y.w", "TXT", "NOERROR", ['"wild"']],
      ["w", "TXT", "NOERROR", []],
      ["ent", "A", "NOERROR", []],
      ["mail", "MX", "NOERROR", ["10 www.example.org."]],
      ["_sip._tcp", "SRV", "NOERROR", ["1 2 5060 www.example.org."]],
      ["www", "TXT", "NOERROR", []],
      ["nope", "A", "NXDOMAIN", []],
    ])("%s %s over UDP and TCP", async (name, type, status, rdata) => {
      for (const tcp of [false, true]) {
        const answer = await ask(name, type, { tcp, program });
        expect(answer.status).toBe(status);
        expect(answer.flags).toContain("aa");
        expect(answer.answer.map((record) => record.rdata).sort()).toEqual([...rdata].sort());
        const authority = answer.authority.map((record) => [record.type, record.ttlSeconds]);
        expect(authority).toEqual(rdata.length === 0 ? [["SOA", 60]] : []);
      }
    });

    test("a referral with glue, not authoritative", async () => {
      const { flags, answer, authority, additional } = await ask("host.sub", "A", { program });
      expect(flags).not.toContain("aa");
      expect(answer).toEqual([]);
      expect(authority.map(({ rdata }) => rdata)).toEqual(["ns.sub.example.org."]);
      expect(additional.map(({ rdata }) => rdata)).toContain("192.0.2.53");
    });

    test("an answer that does not fit is truncated, and the program comes again over TCP", async () => {
      expect((await ask("many", "A", { program })).answer).toHaveLength(100);
    });

    test("another zone is refused", async () => {
      const answer = await dig({ port: server.port, name: "example.net", program });
      expect(answer.status).toBe("REFUSED");
    });
  });

  test("the zone is transferred to the key, to nobody else, and is what it began with", async () => {
    const lines = await zone();
    expect(lines).toContain("www.example.org. 300 A 192.0.2.1");
    expect(lines).toHaveLength(RECORDS.length + 3);
    await expect(transfer({ port: server.port, name: "example.org" })).rejects.toThrow(
      "no transfer",
    );
    const byKdig = await run("kdig", [...signedArgs(), "example.org", "AXFR"]);
    const records = byKdig.stdout.split("\n").filter((line) => /^[^;].*\sIN\s/.test(line));
    expect(records).toHaveLength(lines.length + 1);
  });

  test("nsupdate: prerequisites, silent drops, serial", async () => {
    const before = await serial();
    const claim = ["prereq nxdomain n1.example.org", "update add n1.example.org 60 A 192.0.2.7"];
    expect((await nsupdate(server, claim)).code).toBe(0);
    const again = await nsupdate(server, claim);
    expect(again.stderr).toContain("YXDOMAIN");
    expect(await values("n1")).toEqual(["192.0.2.7"]);
    expect(
      (await nsupdate(server, ["update add n1.example.org 60 CNAME www.example.org"])).code,
    ).toBe(0);
    expect(await values("n1", "CNAME")).toEqual([]);
    expect(await serial()).toBe(before + 1);
    const replace = [
      "prereq yxrrset n1.example.org IN A 192.0.2.7",
      "update delete n1.example.org A",
      "update add n1.example.org 60 CNAME www.example.org",
    ];
    expect((await nsupdate(server, replace)).code).toBe(0);
    expect(await values("n1", "CNAME")).toEqual(["www.example.org."]);
    expect(await serial()).toBe(before + 2);
  });

  test.each([
    ["an unknown key", { name: "stranger" }, "BADKEY"],
    ["a wrong secret", { secretBase64: Buffer.alloc(32).toString("base64") }, "BADSIG"],
    ["another algorithm", { algorithm: "hmac-sha512" }, "BADKEY"],
  ])("nsupdate with %s is told so", async (_title, change, error) => {
    const target = { ...server, zone: "example.org", key: { ...key(), ...change } };
    const { code, stderr } = await nsupdate(target, ["update add bad.example.org 60 A 192.0.2.1"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(error);
    expect((await ask("bad")).status).toBe("NXDOMAIN");
  });

  test("knsupdate adds and removes; without a key it is refused", async () => {
    const { name, secretBase64 } = key();
    const say = (lines: readonly string[], args: readonly string[]) =>
      run("knsupdate", args, {
        input: [
          `server 127.0.0.1 ${server.port}`,
          "zone example.org.",
          ...lines,
          "send",
          "answer",
          "",
        ].join("\n"),
      });
    const signed = ["-y", `hmac-sha256:${name}:${secretBase64}`];
    expect((await say(["update add k.example.org. 60 A 192.0.2.8"], signed)).code).toBe(0);
    expect(await values("k")).toEqual(["192.0.2.8"]);
    const unsigned = await say(["update delete k.example.org. A"], []);
    expect(unsigned.stdout + unsigned.stderr).toContain("REFUSED");
    expect(await values("k")).toEqual(["192.0.2.8"]);
    expect((await say(["update delete k.example.org. A"], signed)).code).toBe(0);
    expect((await ask("k")).status).toBe("NXDOMAIN");
  });

  test("dig reads increments: removed before added, from the serial that it has", async () => {
    const before = await serial();
    await nsupdate(server, ["update add ix.example.org 60 A 192.0.2.1"]);
    await nsupdate(server, [
      "update delete ix.example.org A",
      "update add ix.example.org 60 A 192.0.2.2",
    ]);
    const args = [...signedArgs(), "+noall", "+answer", "example.org", `IXFR=${before}`];
    const text = await run("dig", args);
    const lines = text.stdout.split("\n").filter((line) => /\s(SOA|A)\s/.test(line));
    const short = lines
      .map((line) => line.split(/\s+/))
      .map((w) => (w[3] === "SOA" ? Number(w[6]) : w[4]));
    expect(short).toEqual([
      before + 2,
      before,
      before + 1,
      "192.0.2.1",
      before + 1,
      "192.0.2.1",
      before + 2,
      "192.0.2.2",
      before + 2,
    ]);
  });

  test("kill -9 while updates pour in: every acknowledged one is there after the start, and none by half", async () => {
    const acknowledged = new Set<number>();
    let next = 0;
    const writer = async (): Promise<void> => {
      for (;;) {
        const n = next++;
        const lines = ["A 192.0.2.1", 'TXT "pair"'].map(
          (data) => `update add c${n}.example.org 60 ${data}`,
        );
        if ((await nsupdate(server, lines)).code !== 0) return;
        acknowledged.add(n);
      }
    };
    const writers = Promise.all([writer(), writer(), writer()]);
    while (acknowledged.size < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.kill9();
    await writers;
    await server.restart();
    const lines = await zone();
    const has = (n: number, data: string) => lines.includes(`c${n}.example.org. 60 ${data}`);
    for (const n of acknowledged) expect([n, has(n, "A 192.0.2.1")]).toEqual([n, true]);
    for (let n = 0; n < next; n++) expect(has(n, "A 192.0.2.1")).toBe(has(n, 'TXT "pair"'));
    expect((await nsupdate(server, ["update add after.example.org 60 A 192.0.2.1"])).code).toBe(0);
  });

  test("a restart in order changes nothing: the same records and the same serial", async () => {
    const before = await zone();
    await server.restart();
    expect(await zone()).toEqual(before);
  });
});
