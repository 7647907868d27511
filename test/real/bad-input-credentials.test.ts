/**
 * TSIG keys that a real server refuses: the DNSProvider says what is wrong and what to compare,
 * entries keep what they have, and no secret, right or wrong, shows up in any status, Event, log,
 * metric or answer of the program.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";
import { entry, provider, secret, serverKeys } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/**
 * A secret that occurs nowhere else; its decoded text, base64 and base64 of base64 are searched
 * for.
 */
const CANARY = "canary-in-the-coal-mine-32-bytes";
const CANARY_BASE64 = Buffer.from(CANARY).toString("base64");

for (const kind of REAL_SERVERS)
  describeReal(`keys that ${kind.name} refuses`, ["kubectl-1.32", "dig", kind.needs], () =>
    story(kind),
  );

/** The tests are one session in order. */
function story(kind: RealServerEntry): void {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  let keys: Readonly<Record<string, string>>;
  beforeAll(async () => {
    zone = new RealZone(await kind.start({ zone: "example.net" }));
    keys = serverKeys(zone.server);
    session = await RunSession.open();
    user = session.user;
    instance = await session.run("group-one", "--log-level", "debug");
    await user.apply(secret("net", keys));
    await user.apply(provider("net"));
    await user.apply(entry("good", zone.name("good"), { targets: ["192.0.2.1"] }));
    await user.becomes("dnse", "good", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test.each([
    ["the wrong secret", { TSIGSecret: CANARY_BASE64 }],
    [
      "a key that the server does not know",
      { TSIGKeyName: "stranger.", TSIGSecret: CANARY_BASE64 },
    ],
    ["the wrong algorithm", { TSIGSecretAlgorithm: "hmac-sha512" }],
  ])(
    "%s: the provider says what to compare, the record stays, the entry is Stale",
    async (_, wrong) => {
      await user.apply(secret("net", { ...keys, ...wrong }));
      const message = await user.becomes("dnspr", "net", "Error", /TSIG/);
      expect(message).toContain(`127.0.0.1:${zone.server.port}`);
      expect(message).toMatch(/compare/);
      await user.becomes("dnse", "good", "Stale", /default\/net/);
      expect(await zone.answers("good")).toEqual(["192.0.2.1"]);
      await user.apply(secret("net", keys));
      await user.becomes("dnspr", "net", "Ready");
      await user.becomes("dnse", "good", "Ready");
      expect(await zone.answers("good")).toEqual(["192.0.2.1"]);
    },
  );

  test("a new provider whose key is refused: its entries say which provider and why", async () => {
    await user.apply(
      secret("com", {
        ...keys,
        Zone: "example.com.",
        TSIGKeyName: "other.",
        TSIGSecret: CANARY_BASE64,
      }),
    );
    await user.apply(provider("com"));
    await user.apply(entry("com", "www.example.com", { targets: ["192.0.2.2"] }));
    await user.becomes("dnspr", "com", "Error", /TSIG|serve/);
    await user.becomes("dnse", "com", "Error", /default\/com/);
    expect((await user.status("dnse", "good")).state).toBe("Ready");
    await user.delete("dnse", "com");
    await user.delete("dnspr", "com");
    await user.delete("secret", "com");
  });

  test("no secret is in any status, Event, log, metric or answer", async () => {
    const sights = [
      ["providers", await user.kubectl.ok(["get", "dnspr,dnse", "-o", "yaml"])],
      ["events", await user.kubectl.ok(["get", "events", "-o", "yaml"])],
      ["metrics", (await instance.fetch("/metrics")).text],
      ["readyz", (await instance.fetch("/readyz")).text],
      ["plan", (await instance.cli("plan", "--output", "json")).stdout],
      ["explain", (await instance.cli("explain", zone.name("good"))).stdout],
      ["log", instance.output()],
    ] as const;
    const secrets = [CANARY, zone.server.key.secretBase64].flatMap((text) => [
      text,
      Buffer.from(text).toString("base64").replace(/=+$/, ""),
      Buffer.from(text, "base64").toString("latin1"),
      Buffer.from(CANARY_BASE64).toString("base64").replace(/=+$/, ""),
    ]);
    for (const [where, text] of sights) {
      expect(text.length, `${where} shows something`).toBeGreaterThan(10);
      for (const each of secrets) expect(text.includes(each), `a secret in ${where}`).toBe(false);
    }
  });
}
