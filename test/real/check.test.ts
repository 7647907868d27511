/**
 * `zonekeeper check` against a cluster and a BIND: what is well, and each mistake of a first start
 * in words of its own. It writes nothing: the serial and the zone stay.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fenceName } from "../../src/sync/contract/fence-record.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, provider, secret, serverKeys } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const OTHER_SECRET = Buffer.from("another key of as many bytes, ok").toString("base64");

/** The tests are one session in order. */
describeReal("zonekeeper check", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let readOnly: RealZone;
  const folder = makeTempFolder("check");
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const grants = ["name none.example.org. A"];
    readOnly = new RealZone(await startBind({ zone: "example.org", grants }));
    session = await RunSession.open();
  });
  afterAll(async () => {
    folder.remove();
    await session?.close();
    await Promise.all([zone?.server.stop(), readOnly?.server.stop()]);
  });
  const check = (...args: readonly string[]) => {
    const trusted = ["--provider-trusted-namespaces", "*"];
    const flags = ["check", "--owner", "a", "--kubeconfig", session.kubeconfig, ...trusted];
    return run(process.execPath, [PROGRAM, ...flags, ...args]);
  };

  test("without a DNSProvider it says that no zone is served", async () => {
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([2, expect.stringContaining("no zone is served")]);
    expect(stdout).toContain("[+] definitions and rights: ");
  });

  test("with --wait it looks again: a DNSProvider that comes later is found", async () => {
    expect((await check("--wait", "1s")).code).toBe(2);
    const waited = check("--wait", "60s", "--output", "json");
    await session.user.apply(account("net", zone.server));
    const { code, stdout } = await waited;
    expect([code, stdout]).toEqual([0, expect.stringContaining("zone example.net")]);
    // One answer, the last.
    expect(JSON.parse(stdout)).toMatchObject({ schema: "zonekeeper.dev/check/v1" });
  });

  test("everything is well: 0, and nothing was written", async () => {
    await zone.foreignWriter(`update add ${zone.name("www")} 60 A 192.0.2.1`);
    const before = [await zone.content(), await zone.serial()];
    const { code, stdout } = await check();
    expect(stdout).toMatch(/\[\+] cluster of .* reached; its id is /);
    expect(stdout).toContain("[+] definition of dnsentries.dns.gardener.cloud: has all fields");
    expect(stdout).toContain("[+] lease default/zonekeeper: nobody holds it");
    expect(stdout).toMatch(
      /zone example\.net, transfer: \d+ record sets; 0 owned by a, \d+ without/,
    );
    expect(stdout).toContain("[+] zone example.net, update: the key may send updates");
    expect(stdout).toMatch(/All is well\.\n$/);
    expect(code).toBe(0);
    expect([await zone.content(), await zone.serial()]).toEqual(before);
  });

  test("another installation's fence forbids every write: 2, with its name and the way out", async () => {
    const fence = fenceName(trustedDnsName("example.net"), "a");
    await zone.foreignWriter(
      `update add ${fence} 300 TXT "v=1;domain=other/default/zonekeeper;epoch=3;term=0a1b2c3d"`,
    );
    const { code, stdout } = await check();
    expect(stdout).toMatch(
      /\[-] zone example\.net, fence: HeldBy: installation other\/default\/zonekeeper has the owner id .*zonekeeper owner take --from other\/default\/zonekeeper/,
    );
    expect([code, stdout.includes("All is well")]).toEqual([2, false]);
    await zone.foreignWriter(`update delete ${fence} TXT`);
    expect((await check()).stdout).toContain("[+] zone example.net, fence: no other installation");
  });

  test("a zone that --blocked-zone names and no DNSProvider has: 2; one that it has is fine", async () => {
    const { code, stdout } = await check("--blocked-zone", "example.net,elsewhere");
    expect(stdout.split("\n").filter((line) => line.includes("--blocked-zone"))).toEqual([
      "[-] --blocked-zone elsewhere: is the id of no zone of these DNSProviders, and blocks nothing; write it as their status.zones shows it, or leave it out",
    ]);
    expect(code).toBe(2);
  });

  test("records of its DNSEntries that belong to another owner: 2, and the question for --owner", async () => {
    const former = await session.run("b");
    await session.user.apply(entry("owner", zone.name("owner"), { targets: ["192.0.2.2"] }));
    await zone.becomes("owner", "A", "192.0.2.2");
    await former.remove();
    const { code, stdout } = await check();
    expect(stdout).toMatch(
      /\[-] zone example\.net, transfer: \d+ record sets; 0 owned by a, 1 owned by b, \d+ without an owner; 1 that DNSEntries want belong to "b": is --owner a right\? If it is: zonekeeper transfer --from b --to a --force\n/,
    );
    expect(code).toBe(2);
    await session.user.kubectl.ok(["annotate", "dnse/owner", "dns.gardener.cloud/class=other"]);
    expect((await check()).stdout).toMatch(/\[\+] zone example\.net, transfer: .* 1 owned by b/);
  });

  test("records of ours for objects of a cluster that is not served: 2, as plan has it (Z-30)", async () => {
    const former = await session.run("a", "--kubeconfig.id", "former");
    await session.user.apply(entry("shop", zone.name("shop"), { targets: ["192.0.2.3"] }));
    await zone.becomes("shop", "A", "192.0.2.3");
    await former.remove();
    const present = await session.run("a");
    await session.user.becomes("dnse", "shop", "Error", /of the cluster former/);
    expect((await present.cli("plan")).stdout).toContain("1 ClusterUnknown");
    await present.remove();
    const { code, stdout } = await check();
    expect(stdout).toMatch(
      /\[-] zone example\.net, transfer: .*; 1 of ours are for objects of the cluster former, which is not served here .*zonekeeper transfer --from a --to a --force/,
    );
    expect([code, stdout.includes("All is well")]).toEqual([2, false]);
    expect((await check("--cluster-alias", "former=anew")).stdout).toContain("the cluster anew,");
    expect((await check("--kubeconfig.id", "former")).stdout).toContain("[+] zone example.net, tr");
    await session.user.kubectl.ok(["annotate", "dnse/shop", "dns.gardener.cloud/class=other"]);
    expect((await check("--kubeconfig.id", "former")).stdout).toContain("[+] zone example.net, tr");
  });

  test("a key that may not update, a wrong secret and a definition that is missing: 2", async () => {
    const { user } = session;
    await user.apply(account("org", readOnly.server));
    const wrong = { ...serverKeys(zone.server), TSIGSecret: OTHER_SECRET };
    await user.apply(secret("wrong", wrong));
    await user.apply(provider("wrong"));
    const { code, stdout } = await check(
      ...["--controllers", "all,crd", "--output", "json"],
      "--kubeconfig.disable-deploy-crds",
    );
    expect(code).toBe(2);
    const { findings } = JSON.parse(stdout);
    const messageOf = (subject: string): unknown =>
      findings.find(
        (one: { readonly subject: string; readonly state: string }) =>
          one.subject === subject && one.state === "problem",
      )?.message;
    expect(messageOf("zone example.org, update")).toMatch(/accepts the key but refuses/);
    expect(messageOf("provider default/wrong")).toMatch(/BADSIG/);
    expect(messageOf("dnsendpoints.externaldns.k8s.io")).toMatch(/kubectl apply -f deploy\/crds/);
  });

  test("a definition of another version: which fields it lacks", async () => {
    const text = readFileSync("deploy/crds/dns.gardener.cloud_dnsentries.yaml", "utf8");
    const older = text
      .replaceAll(/^( +)dnsName:$/gm, "$1formerName:")
      .replaceAll("- dnsName", "- formerName");
    await session.user.apply(older.replaceAll(".dnsName", ".formerName"));
    const { code, stdout } = await check();
    expect(stdout).toMatch(/definition of dnsentries\S+: .* it lacks .*dnsName.*deploy\/crds/);
    expect(code).toBe(2);
  });

  test("a cluster that does not answer: 1, and nothing else is asked", async () => {
    const text = readFileSync(session.kubeconfig, "utf8");
    const dead = join(folder.path, "dead.kubeconfig");
    writeFileSync(dead, text.replace(/https:\/\/127\.0\.0\.1:\d+/, "https://127.0.0.1:1"));
    const { code, stdout } = await check("--target", dead);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\[\?] cluster of .*dead.kubeconfig: .*127\.0\.0\.1:1/m);
    expect(stdout).not.toContain("provider ");
    expect(stdout).toMatch(/0 to mend, 1 that could not be asked\.\n$/);
  });
});
