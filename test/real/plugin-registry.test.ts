/**
 * The registry of a plug-in module in a real `run` with BIND: however it breaks in one zone, the
 * records there stay, names and DNSProvider name the module, and another zone goes on. One that
 * loops ends the process, and the next start leaves it off.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { BROKEN_REGISTRY, type HowItBreaks } from "../support/programs/broken-registry.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  account,
  entry,
  provider,
  secret,
  serverKeys,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const FAILED = "the plug-in acme-registry \\(.*registry.mjs\\)";

/** One session in order. */
describeReal("run with the registry of a plug-in", ["kubectl-1.32", "dig", "bind"], () => {
  const folder = makeTempFolder("plug-in-registry");
  const file = join(folder.path, "registry.mjs");
  const howFile = join(folder.path, "how.json");
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let other: RealZone;
  let instance: RunInstance;
  let last = 1;
  const next = (): string => `192.0.2.${++last}`;
  const breaks = (call: HowItBreaks["call"], how: HowItBreaks["how"]): void =>
    writeFileSync(howFile, JSON.stringify({ zone: zone.name("@"), call, how }));
  const publish = (name: string, dnsName: string, address: string): Promise<string> =>
    user.apply(entry(name, dnsName, { targets: [address] }));
  const says = (kind: string, name: string, message: string): Promise<unknown> =>
    eventually(
      `${kind} ${name} says ${message}`,
      () => user.status(kind, name),
      (status) => new RegExp(`${FAILED} ${message}`).test(status.message),
    );
  const otherZoneGoesOn = async (): Promise<void> => {
    const address = next();
    await publish("other", other.name("other"), address);
    await other.becomes("other", "A", address);
  };
  beforeAll(async () => {
    writeFileSync(file, BROKEN_REGISTRY);
    const server = await startBind({ zone: "example.net", moreZones: ["example.com"] });
    zone = new RealZone(server);
    other = new RealZone({ ...server, zone: "example.com" });
    breaks("read", "works");
    session = await RunSession.open();
    user = session.user;
    const args = ["--plugin", file, "--acme-registry-how", howFile, "--registry", "acme-all"];
    instance = await session.run("team", ...args);
    await user.apply(
      together(
        account("bind", server),
        secret("second", { ...serverKeys(server), Zone: "example.com." }),
        provider("second"),
      ),
    );
    await user.becomes("dnspr", "bind", "Ready");
    await user.becomes("dnspr", "second", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });

  test("names are published, change, and go", async () => {
    await publish("www", zone.name("www"), "192.0.2.1");
    await publish("old", zone.name("old"), "192.0.2.1");
    await zone.becomes("www", "A", "192.0.2.1");
    await zone.becomes("old", "A", "192.0.2.1");
    await user.delete("dnse", "old");
    await zone.becomes("old", "A");
    await otherZoneGoesOn();
  });

  test.each([
    ["throws", "threw in read: no luck"],
    ["garbage", "answered garbage to read: .* is in no view"],
    ["never", "did not answer to read within 0.3 s"],
  ] as const)(
    "where it cannot say whose the records are (%s), the zone stays as it is",
    async (how, message) => {
      const before = await zone.answers("www");
      breaks("read", how);
      // What is new is written before it is read again.
      await publish(`new-${how}`, zone.name(`new-${how}`), "192.0.2.1");
      await says("dnspr", "bind", message);
      await says("dnse", "www", message);
      await publish("www", zone.name("www"), "192.0.2.200");
      await otherZoneGoesOn();
      expect(await zone.answers("www")).toEqual(before);
      const address = next();
      await publish("www", zone.name("www"), address);
      breaks("read", "works");
      await zone.becomes("www", "A", address);
      await user.becomes("dnse", "www", "Ready");
    },
    120_000,
  );

  test("where it cannot mark a name, the name is held and says so, and others go on", async () => {
    const before = await zone.answers("www");
    breaks("prepare", "throws");
    await publish("www", zone.name("www"), "192.0.2.200");
    await says("dnse", "www", "threw in prepare: no luck");
    expect((await instance.cli("plan")).stdout).toContain("PluginFailed");
    await otherZoneGoesOn();
    expect(await zone.answers("www")).toEqual(before);
    breaks("prepare", "works");
    const address = next();
    await publish("www", zone.name("www"), address);
    await zone.becomes("www", "A", address);
  });

  test("an outcome that it does not take is no loss: the zone is read again", async () => {
    breaks("confirm", "throws");
    for (const address of [next(), next()]) {
      await publish("www", zone.name("www"), address);
      await zone.becomes("www", "A", address);
      await user.becomes("dnse", "www", "Ready");
    }
    expect(instance.output()).toMatch(new RegExp(`${FAILED} threw in confirm: no luck`));
    breaks("confirm", "works");
    await otherZoneGoesOn();
  });

  test("one that loops ends the process, and the next start leaves it off", async () => {
    const before = await zone.answers("www");
    breaks("prepare", "loops");
    await publish("www", zone.name("www"), "192.0.2.200");
    const isUp = async (): Promise<boolean> => instance.running;
    await eventually("the process ends", isUp, (is) => !is);
    expect(instance.output()).toMatch(/"plugin":".*registry.mjs".*"call":"prepare"/);
    await instance.restart();
    const { text } = await instance.fetch("/readyz?verbose");
    expect(text).toMatch(new RegExp(`${FAILED} is left off: it did not come back from prepare`));
    await says("dnspr", "bind", "is left off");
    await says("dnse", "www", "is left off");
    expect(await zone.answers("www")).toEqual(before);
    writeFileSync(file, `${BROKEN_REGISTRY}// Mended.\n`);
    breaks("prepare", "works");
    await instance.restart();
    await zone.becomes("www", "A", "192.0.2.200");
    await otherZoneGoesOn();
  });
});
