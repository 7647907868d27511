/**
 * `registry migrate` on a BIND, judged by dig and a transfer: markers change their form, data never
 * does, another's markers never do, and a migration that was killed in the middle is simply asked
 * for again. All the while a second process with another owner id works in the same zone, and finds
 * its records and markers as it wrote them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { BusyNeighbour } from "../support/programs/busy-neighbour.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const OTHER = [
  "theirs 300 IN A 192.0.2.90",
  'a-theirs 300 IN TXT "heritage=external-dns,external-dns/owner=others,external-dns/resource=service/x/y"',
  'old 300 IN TXT "heritage=external-dns,external-dns/owner=others"',
];
const NAMES = Array.from({ length: 12 }, (_, index) => `n${index}`);

/** The tests are one session in order. */
describeReal("registry migrate on BIND", ["kubectl-1.32", "dig", "bind"], () => {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  let keys: TempFolder;
  let neighbour: BusyNeighbour;
  beforeAll(async () => {
    keys = makeTempFolder("keys");
    writeFileSync(join(keys.path, "sig"), `k1 ${Buffer.alloc(32, 9).toString("base64")}\n`);
    writeFileSync(join(keys.path, "aes"), Buffer.alloc(32, 7).toString("base64"));
    zone = new RealZone(await startBind({ zone: "example.net", records: OTHER }));
    session = await RunSession.open();
    user = session.user;
    instance = await session.run("group-one");
    await user.apply(account("net", zone.server));
    await user.becomes("dnspr", "net", "Ready");
    for (const [index, name] of NAMES.entries())
      await user.apply(entry(name, zone.name(name), { targets: [`192.0.2.${index + 1}`] }));
    for (const name of NAMES) await user.becomes("dnse", name, "Ready");
    neighbour = await BusyNeighbour.start(zone);
  });
  afterAll(async () => {
    await neighbour?.stop();
    await session?.close();
    await zone?.server.stop();
    keys?.remove();
  });
  const content = async (): Promise<readonly string[]> => neighbour.without(await zone.content());
  const lines = async (type: string): Promise<readonly string[]> =>
    (await content()).filter((line) => line.split(" ")[1] === type);
  const other = async (): Promise<number> =>
    (await lines("TXT")).filter((line) => line.includes("owner=others")).length;
  const own = async (prefix: string): Promise<number> =>
    (await lines("TXT")).filter((line) => line.startsWith(`${prefix}n`)).length;

  test("a preview says what is to do and writes nothing", async () => {
    const before = await content();
    const nothing = await instance.cli("registry", "migrate");
    expect([nothing.code, nothing.stdout]).toEqual([0, expect.stringContaining("have this form")]);
    const preview = await neighbour.during(() =>
      instance.cli("registry", "migrate", "--to-layout", "label"),
    );
    expect(preview.code).toBe(2);
    expect(preview.stdout).toContain(`+ TXT _owner.a.${zone.name("n3")}`);
    expect(preview.stdout).toContain(`- TXT a-${zone.name("n3")}`);
    expect(preview.stdout).not.toMatch(/theirs|kept|comes|busy/);
    expect(await content()).toEqual(before);
  });

  test("what cannot be is refused", async () => {
    const elsewhere = await instance.cli("registry", "migrate", "--zone", "example.com");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining("not open")]);
    const encrypted = await instance.cli("registry", "migrate", "--encrypt");
    expect([encrypted.code, encrypted.stdout]).toEqual([
      1,
      expect.stringContaining("no key is configured"),
    ]);
  });

  test("killed in the middle and asked again: all markers move, no data does", async () => {
    const data = await lines("A");
    // As a crash between two calls leaves it: the new marker stands, the old one is still there.
    const [copy = ""] = await zone.answers("a-n5", "TXT");
    await zone.foreignWriter(`update add ${zone.name("_owner.a.n5")}. 300 TXT ${copy}`);
    const asked = instance.cli("registry", "migrate", "--to-layout", "label", "--yes");
    await instance.kill9();
    await asked;
    expect(await lines("A")).toEqual(data);
    await instance.restart();
    const again = await neighbour.during(() =>
      instance.cli("registry", "migrate", "--to-layout", "label", "--yes"),
    );
    // The zone may still be loading: then the command says so.
    if (again.code !== 0) {
      await instance.hasNothingToDo();
      const last = await instance.cli("registry", "migrate", "--to-layout", "label", "--yes");
      expect([last.code, last.stderr]).toEqual([0, ""]);
    }
    expect([await own("_owner.a."), await own("a-"), await other()]).toEqual([12, 0, 2]);
    expect(await lines("A")).toEqual(data);
    expect(await zone.answers("n3")).toEqual(["192.0.2.4"]);
  });

  test("signed, then required: everything is still ours and can be changed", async () => {
    const signed = ["--marker-signing-keys-file", join(keys.path, "sig"), "--txt-layout", "label"];
    await instance.restart("--marker-signing", "write", ...signed);
    await instance.hasNothingToDo();
    // Required too early it is refused: what is changed waits, nothing is lost.
    await instance.restart("--marker-signing", "require", ...signed);
    await user.apply(entry("n4", zone.name("n4"), { targets: ["192.0.2.210"] }));
    await user.apply(entry("fresh", zone.name("fresh"), { targets: ["192.0.2.211"] }));
    await user.becomes("dnse", "n4", "Error", /has our owner id and no signature/);
    await user.becomes("dnse", "fresh", "Pending", /not signed: 12/);
    expect(await zone.answers("n4")).toEqual(["192.0.2.5"]);
    await instance.restart("--marker-signing", "write", ...signed);
    await zone.becomes("n4", "A", "192.0.2.210");
    await zone.becomes("fresh", "A", "192.0.2.211");
    await instance.hasNothingToDo();
    expect((await instance.cli("registry", "migrate")).code).toBe(2);
    const migrated = await neighbour.during(() => instance.cli("registry", "migrate", "--yes"));
    expect(migrated.code).toBe(0);
    const markers = (await lines("TXT")).filter((line) => line.startsWith("_owner"));
    expect(markers.every((line) => line.includes("external-dns/sig=k1."))).toBe(true);
    await instance.restart("--marker-signing", "require", ...signed);
    await user.apply(entry("n3", zone.name("n3"), { targets: ["192.0.2.200"] }));
    await zone.becomes("n3", "A", "192.0.2.200");
  });

  test("a marker that somebody makes up gives no right under require", async () => {
    const text =
      '"heritage=external-dns,external-dns/owner=group-one,external-dns/resource=dnsentry/default/forged"';
    await zone.foreignWriter(
      `update add ${zone.name("made-up")}. 300 A 192.0.2.91`,
      `update add ${zone.name("a-made-up")}. 300 TXT ${text}`,
    );
    await user.apply(entry("forged", zone.name("made-up"), { targets: ["192.0.2.201"] }));
    await user.becomes("dnse", "forged", "Error", /has our owner id and no signature/);
    expect(await zone.answers("made-up")).toEqual(["192.0.2.91"]);
  });

  test("encrypted, and back to external-dns's default", async () => {
    const key = ["--txt-encrypt-aes-key-file", join(keys.path, "aes")];
    await instance.restart(...key);
    await instance.hasNothingToDo();
    const encrypted = await neighbour.during(() =>
      instance.cli("registry", "migrate", "--encrypt", "--yes"),
    );
    expect(encrypted.code).toBe(0);
    const markers = (await lines("TXT")).filter((line) => /^(a-|_owner\.a\.)n/.test(line));
    expect(markers.length).toBe(12);
    expect(markers.some((line) => line.includes("heritage"))).toBe(false);
    const plain = await neighbour.during(() => instance.cli("registry", "migrate", "--yes"));
    expect(plain.code).toBe(0);
    expect([await own("a-"), await own("_owner.a."), await other()]).toEqual([12, 0, 2]);
    expect(instance.output()).not.toContain(Buffer.alloc(32, 7).toString("base64"));
  });
});
