/**
 * From `kubectl apply` to an answer from BIND and our own server, in the campaign from Knot and
 * PowerDNS, too, through a DNSProvider that a person writes by hand.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { digValues } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { eventually } from "../support/ports/eventually.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";

const ZONE = "example.net";

for (const entry of REAL_SERVERS)
  describeReal(`dev with ${entry.name}`, ["kubectl-1.32", "dig", ...entry.storyNeeds], () =>
    story(entry),
  );

/** The files of examples/by-hand, filled in as their comments say. */
function byHand(server: RealServer): string {
  const read = (file: string): string => readFileSync(`examples/by-hand/${file}`, "utf8");
  return `${read("10-secret.yaml")}\n---\n${read("20-provider.yaml")}`
    .replaceAll("ZONE_NAME", ZONE)
    .replaceAll("my-dns-server", "theirs")
    .replaceAll("SERVER_ADDRESS:53", `${server.host}:${server.port}`)
    .replaceAll("BASE64_OF_THE_KEY", server.key.secretBase64)
    .replaceAll("zonekeeper.\n", `${server.key.name}.\n`);
}

/** The tests are one session in order. */
function story(entry: RealServerEntry): void {
  let server: RealServer;
  let user: UserSession;
  beforeAll(async () => {
    server = await entry.start({ zone: ZONE, records: ["theirs 300 IN A 192.0.2.99"] });
    user = await UserSession.start("1.32", "--no-examples");
  });
  afterAll(async () => {
    await user?.close();
    await server?.stop();
  });
  const answer = (label: string, type = "A"): Promise<readonly string[]> =>
    digValues({ port: server.port, name: `${label}.${ZONE}`, type });
  const becomes = (label: string, type: string, rdata: readonly string[]) =>
    eventually(
      `${entry.name} answers ${label} ${type}`,
      () => answer(label, type).catch(() => ["no answer"]),
      (seen) => JSON.stringify(seen) === JSON.stringify([...rdata].sort()),
    );

  test("a Secret and a DNSProvider by hand become Ready", async () => {
    await user.apply(byHand(server));
    const provider = await eventually(
      "the provider is Ready",
      () => user.get("dnspr", "theirs"),
      ({ status }) => status?.["state"] === "Ready",
    );
    expect(JSON.stringify(provider.status)).toContain(ZONE);
  });

  test("entries are published with their markers, edited and removed", async () => {
    await user.apply(dnsEntry("www", `www.${ZONE}`, 'targets: ["192.0.2.1"]', "ttl: 60"));
    await becomes("www", "A", ["192.0.2.1"]);
    expect((await answer("a-www", "TXT"))[0]).toContain(
      "external-dns/resource=dnsentry/default/www",
    );
    await user.entryBecomes("www", "Ready");
    await user.apply(dnsEntry("www", `www.${ZONE}`, `targets: ["target.${ZONE}"]`, "ttl: 60"));
    await becomes("www", "CNAME", [`target.${ZONE}.`]);
    await user.kubectl.ok(["delete", "dnse", "www"]);
    await becomes("www", "CNAME", []);
    await becomes("cname-www", "TXT", []);
    await becomes("a-www", "TXT", []);
  });

  test("a record that stood there before is left alone", async () => {
    await user.apply(dnsEntry("theirs", `theirs.${ZONE}`, 'targets: ["192.0.2.1"]'));
    await user.entryBecomes("theirs", "Error");
    expect(await answer("theirs")).toEqual(["192.0.2.99"]);
    await user.kubectl.ok(["delete", "dnse", "theirs"]);
    expect(await answer("theirs")).toEqual(["192.0.2.99"]);
  });

  test("a name that a stranger takes between our reading and our writing stays theirs", async () => {
    const taken = await nsupdate(server, [`update add taken.${ZONE}. 60 A 192.0.2.98`]);
    expect(taken.code).toBe(0);
    await user.apply(dnsEntry("taken", `taken.${ZONE}`, 'targets: ["192.0.2.1"]'));
    await user.entryBecomes("taken", "Error");
    expect(await answer("taken")).toEqual(["192.0.2.98"]);
    await user.kubectl.ok(["delete", "dnse", "taken"]);
  });

  test("a change while the server is down arrives when it is back; what stood stays", async () => {
    await user.apply(dnsEntry("calm", `calm.${ZONE}`, 'targets: ["192.0.2.5"]'));
    await becomes("calm", "A", ["192.0.2.5"]);
    await server.kill9();
    await user.apply(dnsEntry("late", `late.${ZONE}`, 'targets: ["192.0.2.6"]'));
    await new Promise((wake) => setTimeout(wake, 500));
    await server.restart();
    await eventually(
      "the late record arrives",
      () => answer("late").catch((): readonly string[] => []),
      (seen) => seen.includes("192.0.2.6"),
    );
    expect(await answer("calm")).toEqual(["192.0.2.5"]);
  });

  test("a restart of dev writes nothing and loses nothing", async () => {
    const serial = async (): Promise<string> =>
      (await digValues({ port: server.port, name: ZONE, type: "SOA" }))[0] ?? "";
    await user.entryBecomes("late", "Ready");
    await new Promise((wake) => setTimeout(wake, 500));
    const before = await serial();
    await user.dev.kill9();
    await user.dev.restart();
    await user.entryBecomes("late", "Ready");
    await new Promise((wake) => setTimeout(wake, 1500));
    expect(await serial()).toBe(before);
    expect(await answer("calm")).toEqual(["192.0.2.5"]);
  });
}
