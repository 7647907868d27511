/**
 * Every TSIG algorithm (RFC 8945 §6) in both directions: dig, kdig and nsupdate against the
 * embedded server, and our provider against BIND and Knot. Transfers have many signed messages.
 */
import { TSIG_ALGORITHMS } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { describe, expect, test } from "vitest";
import { dig, transfer } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { startKnot } from "../support/real-servers/knot.ts";
import type { ServerKey } from "../support/real-servers/real-server.ts";
import {
  apply,
  claim,
  NEVER,
  onlyZone,
  openSession,
  set,
} from "../support/values/rfc2136-session.ts";

const COUNT = 3000;
const records = (dnsClass: string) =>
  Array.from({ length: COUNT }, (_, i) => `host-${i} 300 ${dnsClass} A 10.1.${i >> 8}.${i & 255}`);
const keyOf = (algorithm: ServerKey["algorithm"]): ServerKey => ({
  name: "odd_key.example.net",
  algorithm,
  secretBase64: Buffer.from(`a secret for ${algorithm} of some length`).toString("base64"),
});
const ALGORITHMS = TSIG_ALGORITHMS.map(({ algorithm }) => algorithm);

describe.each(ALGORITHMS)("%s", (algorithm) => {
  const key = keyOf(algorithm);

  describeReal(`the embedded server with ${algorithm}`, ["dig", "kdig"], () => {
    test("dig and kdig transfer, nsupdate writes; another algorithm and another secret do not", async () => {
      const server = await startEmbedded({ zone: "example.org", records: records(""), key });
      const at = { port: server.port, name: "example.org" };
      try {
        for (const program of ["dig", "kdig"] as const) {
          const answer = await dig({ ...at, type: "SOA", key, program });
          expect(answer.status).toBe("NOERROR");
        }
        expect(await transfer({ ...at, key })).toHaveLength(COUNT + 3);
        const { name, secretBase64 } = key;
        const signed = ["-y", `${algorithm}:${name}:${secretBase64}`];
        const position = ["@127.0.0.1", "-p", String(server.port)];
        const whole = await run("kdig", [...position, ...signed, "example.org", "AXFR"]);
        expect(whole.stdout).toContain("host-2999.example.org.");
        expect(whole.stderr + whole.stdout).not.toMatch(/;; (?:WARNING|ERROR)/);
        const zone = { port: server.port, zone: "example.org" };
        const line = "add new.example.org. 60 A 192.0.2.1";
        expect((await nsupdate({ ...zone, key }, [line])).code).toBe(0);
        const others = ALGORITHMS.filter((each) => each !== algorithm && each !== "hmac-md5");
        const other = { ...key, algorithm: others[0] ?? "hmac-sha256" };
        expect((await nsupdate({ ...zone, key: other }, [line])).stderr).toContain("BADKEY");
        const forged = { ...key, secretBase64: Buffer.from("wrong").toString("base64") };
        expect((await nsupdate({ ...zone, key: forged }, [line])).stderr).toContain("BADSIG");
      } finally {
        await server.stop();
      }
    });
  });

  describe.each([
    ["BIND", "bind", startBind],
    ["Knot", "knot", startKnot],
  ] as const)("our provider and %s", (name, needs, start) => {
    describeReal(`${name} with ${algorithm}`, [needs], () => {
      test("a transfer and an update", async () => {
        const server = await start({ zone: "example.org", records: records("IN"), key });
        const config = algorithm === "hmac-md5" ? { allowMd5: true } : null;
        const session = openSession(server, {}, { config });
        try {
          const zone = await onlyZone(session);
          expect((await session.records(zone, null, NEVER)).sets).toHaveLength(COUNT + 3);
          const next = set("new.example.org", 60, "A", "192.0.2.1");
          expect(await apply(session, zone, claim(next))).toMatchObject([{ status: "applied" }]);
        } finally {
          session.close();
          await server.stop();
        }
      });
    });
  });
});

describeReal("truncated MACs", ["bind"], () => {
  test("our provider and BIND agree on hmac-sha256-192; BIND says BADTRUNC to less than it wants", async () => {
    const key = { ...keyOf("hmac-sha256"), bits: 192 };
    const server = await startBind({ zone: "example.org", key });
    const open = (algorithm: string) => openSession(server, { TSIGSecretAlgorithm: algorithm });
    const [good, short] = [open("hmac-sha256-192"), open("hmac-sha256-128")];
    try {
      const zone = await onlyZone(good);
      const next = set("new.example.org", 60, "A", "192.0.2.1");
      expect(await apply(good, zone, claim(next))).toMatchObject([{ status: "applied" }]);
      expect((await good.records(zone, null, NEVER)).sets).toHaveLength(4);
      await expect(short.zones(NEVER)).rejects.toMatchObject({
        code: "BadCredentials",
        message: expect.stringContaining("BADTRUNC"),
      });
    } finally {
      good.close();
      short.close();
      await server.stop();
    }
  });
});
