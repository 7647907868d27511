/**
 * The harness itself: each real server starts, takes signed updates, transfers, and survives `kill
 * -9`.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dig, digValues, transfer } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS } from "../support/real-servers/index.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";

for (const entry of REAL_SERVERS) {
  describeReal(`harness of ${entry.name}`, [entry.needs, "dig"], () => {
    let server: RealServer;
    beforeAll(async () => {
      server = await entry.start({
        zone: "example.org",
        records: ["www 300 IN A 192.0.2.1", 'text 60 IN TXT "a b" "c;d"'],
      });
    });
    afterAll(() => server?.stop());

    test("answers what it was started with, over UDP and TCP", async () => {
      const { port } = server;
      const udp = await dig({ port, name: "www.example.org" });
      expect(udp.status).toBe("NOERROR");
      expect(udp.flags).toContain("aa");
      expect(udp.answer).toEqual([
        { name: "www.example.org.", ttlSeconds: 300, type: "A", rdata: "192.0.2.1" },
      ]);
      expect(await digValues({ port, name: "text.example.org", type: "TXT", tcp: true })).toEqual([
        '"a b" "c;d"',
      ]);
      const none = await dig({ port, name: "none.example.org" });
      expect(none.status).toBe("NXDOMAIN");
      expect(none.authority.map((record) => record.type)).toEqual(["SOA"]);
    });

    test("takes a signed update and refuses a key with another secret", async () => {
      const add = ["update add new.example.org. 60 A 192.0.2.7"];
      expect((await nsupdate(server, add)).code).toBe(0);
      expect(await digValues({ port: server.port, name: "new.example.org" })).toEqual([
        "192.0.2.7",
      ]);
      const key = {
        ...server.key,
        secretBase64: Buffer.from("wrong".repeat(7)).toString("base64"),
      };
      const bad = await nsupdate({ ...server, key }, ["update delete new.example.org. A"]);
      expect(bad.code).not.toBe(0);
      expect(await digValues({ port: server.port, name: "new.example.org" })).toHaveLength(1);
    });

    test("transfers the zone to the key and to nobody else", async () => {
      const { port, key } = server;
      const records = await transfer({ port, name: "example.org", key });
      const names = records.map((record) => `${record.name} ${record.type}`);
      expect(names).toContain("www.example.org. A");
      expect(names).toContain("text.example.org. TXT");
      await expect(transfer({ port, name: "example.org" })).rejects.toThrow("no transfer");
    });

    test("keeps an acknowledged update over kill -9 and restart on the same port", async () => {
      await nsupdate(server, ["update add kept.example.org. 60 A 192.0.2.8"]);
      await server.kill9();
      await server.restart();
      expect(await digValues({ port: server.port, name: "kept.example.org" })).toEqual([
        "192.0.2.8",
      ]);
    });
  });
}

describeReal("kdig", ["bind", "kdig"], () => {
  test("gives the same answer as dig", async () => {
    const server = await REAL_SERVERS[0]?.start({
      zone: "example.org",
      records: ["www IN A 192.0.2.1"],
    });
    try {
      const question = { port: server?.port ?? 0, name: "www.example.org" };
      const other = await dig({ ...question, program: "kdig" });
      expect(other.answer).toEqual((await dig(question)).answer);
      expect(other.status).toBe("NOERROR");
      expect(other.flags).toContain("aa");
    } finally {
      await server?.stop();
    }
  });
});
