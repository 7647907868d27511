/**
 * Two DNSProviders with two TSIG keys for one BIND zone, as `127.0.0.1` and `localhost`: one zone,
 * one actor (Z-18). dig, a full transfer, BIND's log and kubectl are the judges.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { type ServerKey, TEST_KEY } from "../support/real-servers/real-server.ts";
import {
  entry,
  provider,
  secret,
  serverKeys,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const OTHER_KEY: ServerKey = {
  name: "other-key",
  algorithm: "hmac-sha256",
  secretBase64: Buffer.from("another test key, 32 bytes long.").toString("base64"),
};

/** One session in order. `a.one` goes by the key of `one`, `a.two` by that of `two`. */
describeReal("run with two ways into one zone", ["kubectl-1.32", "dig", "bind"], () => {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  const transfers = (): number => {
    const log = readFileSync(join(zone.server.folder, "server.log"), "utf8");
    return log.match(/AXFR started/g)?.length ?? 0;
  };
  const entryOf = (label: string, target: string): string =>
    entry(label.replace(".", "-"), zone.name(label), { targets: [target] });
  const shows = async (label: string, target: string): Promise<void> => {
    await user.apply(entryOf(label, target));
    await zone.becomes(label, "A", target);
    await user.becomes("dnse", label.replace(".", "-"), "Ready");
  };
  const isTakenAway = async (label: string): Promise<void> => {
    await user.delete("dnse", label.replace(".", "-"));
    await zone.becomes(label, "A");
  };
  /** BIND does not know the key, until the result is called. */
  const revoke = async ({ name }: ServerKey): Promise<() => Promise<void>> => {
    const path = join(zone.server.folder, "named.conf");
    const before = readFileSync(path, "utf8");
    const uses = new RegExp(`^key "${name}" .*$|grant ${name} [^;]*;|key "${name}";`, "gm");
    writeFileSync(path, before.replaceAll(uses, ""));
    await zone.server.restart();
    return () => {
      writeFileSync(path, before);
      return zone.server.restart();
    };
  };
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net", moreKeys: [OTHER_KEY] }));
    session = await RunSession.open();
    user = session.user;
    instance = await session.run("team");
    const keys = serverKeys(zone.server);
    const others = {
      ...keys,
      Server: `localhost:${zone.server.port}`,
      TSIGKeyName: `${OTHER_KEY.name}.`,
      TSIGSecret: OTHER_KEY.secretBase64,
    };
    const part = (label: string): string =>
      provider(label, { domains: { include: [zone.name(label)] } });
    await user.apply(together(secret("one", keys), part("one")));
    await user.apply(together(secret("two", others), part("two")));
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("entries of both are created, changed and deleted, and the zone is read once", async () => {
    await user.becomes("dnspr", "one", "Ready");
    await user.becomes("dnspr", "two", "Ready");
    await user.apply(together(entryOf("a.one", "192.0.2.1"), entryOf("a.two", "192.0.2.2")));
    await zone.becomes("a.one", "A", "192.0.2.1");
    await zone.becomes("a.two", "A", "192.0.2.2");
    await shows("b.one", "192.0.2.3");
    await shows("b.two", "192.0.2.4");
    await shows("a.one", "192.0.2.11");
    await shows("a.two", "192.0.2.12");
    await isTakenAway("b.one");
    await isTakenAway("b.two");
    await instance.hasNothingToDo();
    expect(transfers()).toBe(1);
    const left = (await zone.content()).filter((line) => !/fence|ns1/.test(line));
    expect(left.map((line) => line.split(" ", 2).join(" "))).toEqual([
      "a-a.one.example.net. TXT",
      "a-a.two.example.net. TXT",
      "a.one.example.net. A",
      "a.two.example.net. A",
    ]);
  });

  test.each([
    ["the second", OTHER_KEY, "two", "one"],
    ["the first", TEST_KEY, "one", "two"],
  ])(
    "%s key is revoked: its entries go Stale, the others go on",
    async (_, key, gone, kept) => {
      const before = await zone.answers(`a.${gone}`);
      const restore = await revoke(key);
      await user.becomes("dnse", `a-${gone}`, "Stale", /BADKEY/);
      await user.becomes("dnspr", gone, "Error", /BADKEY/);
      await user.becomes("dnspr", kept, "Ready");
      await user.apply(entryOf(`a.${gone}`, "192.0.2.22"));
      await shows(`a.${kept}`, "192.0.2.21");
      await shows(`c.${kept}`, "192.0.2.23");
      await isTakenAway(`c.${kept}`);
      await instance.restart();
      await shows(`a.${kept}`, "192.0.2.24");
      await user.becomes("dnse", `a-${gone}`, "Stale", /BADKEY/);
      expect(await zone.answers(`a.${gone}`)).toEqual(before);
      await restore();
      await zone.becomes(`a.${gone}`, "A", "192.0.2.22");
      await user.becomes("dnse", `a-${gone}`, "Ready");
      await user.becomes("dnspr", gone, "Ready");
    },
    200_000,
  );

  test("a copy of the zone stops nobody, and its status tells what is missing", async () => {
    const copy = await startBind({ zone: "example.net", records: ["a.one 300 IN A 192.0.2.250"] });
    try {
      await user.apply(together(secret("copy", serverKeys(copy)), provider("copy")));
      await user.becomes("dnspr", "copy", "Error", /may be zone .* of DNSProvider default\//);
      await shows("a.one", "192.0.2.31");
      await shows("c.two", "192.0.2.32");
      await isTakenAway("c.two");
    } finally {
      await user.delete("dnspr", "copy");
      await copy.stop();
    }
    await instance.hasNothingToDo();
  });
});
