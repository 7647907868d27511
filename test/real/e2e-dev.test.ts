/**
 * "What a user does" from beginning to end: `zonekeeper dev`, an ordinary kubectl of 2021 and of
 * 2025, and dig.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KUBECTL_VERSIONS, type KubectlVersion } from "../support/clients/kubectl.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { eventually } from "../support/ports/eventually.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const example = (file: string): string => readFileSync(`examples/${file}`, "utf8");

for (const version of KUBECTL_VERSIONS)
  describeReal(`dev with kubectl ${version}`, [`kubectl-${version}`, "dig"], () => story(version));

/** The tests are one session in order: each begins where the one before ended. */
function story(version: KubectlVersion): void {
  let user: UserSession;
  beforeAll(async () => {
    user = await UserSession.start(version);
  });
  afterAll(() => user?.close());

  test("one ready line says where everything is", () => {
    const { kubeconfig, dns, http, data } = user.dev.ready();
    expect(data).toBe(user.dev.data);
    expect(kubeconfig.startsWith(data)).toBe(true);
    expect(dns).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(http).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("the examples are there and get their answers", async () => {
    await user.answersBecome("www.example.org", "A", ["192.0.2.10"]);
    await user.answersBecome("www.example.org", "AAAA", ["2001:db8::10"]);
    await user.answersBecome("blog.example.org", "CNAME", ["www.example.org."]);
    await user.answersBecome("note.example.org", "TXT", [
      '"a second string"',
      '"hello from zonekeeper"',
    ]);
    await user.answersBecome("anything.apps.example.org", "A", ["192.0.2.40"]);
    await user.answersBecome("echo.example.org", "A", ["192.0.2.50"]);
    const { status } = await user.get("ing", "shop");
    const text = JSON.stringify(status?.["loadBalancer"]);
    const address = /192\.0\.2\.\d+/.exec(text)?.[0] ?? "none";
    await user.answersBecome("shop.example.org", "A", [address]);
    await user.answersBecome("api.shop.example.org", "A", [address]);
  });

  test("the same examples can be applied by hand, and nothing changes", async () => {
    const before = await user.serial();
    for (const file of ["10-entry-addresses", "30-entry-text", "50-service", "60-ingress"])
      expect(await user.apply(example(`${file}.yaml`))).toMatch(/ (unchanged|configured)\n$/);
    await user.entryBecomes("www", "Ready");
    expect(await user.serial()).toBe(before);
  });

  test("get shows the columns of the Gardener README", async () => {
    const providers = await user.kubectl.ok(["get", "dnspr"]);
    expect(providers).toMatch(/^NAME +TYPE +STATUS +AGE\nembedded +rfc2136 +Ready +\d+\w+\n$/);
    const entries = await user.kubectl.ok(["get", "dnse", "www"]);
    expect(entries).toMatch(/^NAME +DNS +TYPE +PROVIDER +STATUS +AGE\n/);
    expect(entries).toMatch(
      /\nwww +www\.example\.org +rfc2136 +default\/embedded +Ready +\d+\w+\n$/,
    );
    const all = await user.kubectl.ok(["get", "dnspr,dnse,svc,ing"]);
    for (const name of ["embedded", "www", "echo", "shop"]) expect(all).toContain(`/${name} `);
    const yaml = await user.kubectl.ok(["get", "dnse", "www", "-o", "yaml"]);
    expect(yaml).toContain("dnsName: www.example.org");
    expect(yaml).toContain("state: Ready");
  });

  test("every published record has its marker beside it", async () => {
    const [marker = ""] = await user.answers("a-echo.example.org", "TXT");
    expect(marker).toContain("heritage=external-dns");
    expect(marker).toMatch(/external-dns\/owner=dev-/);
    expect(marker).toContain("external-dns/resource=service/default/echo");
  });

  test("dig gets every kind of answer, over UDP and TCP", async () => {
    for (const tcp of [false, true]) {
      const soa = await user.dig("example.org", "SOA", tcp);
      expect(soa.answer.map(({ type }) => type)).toEqual(["SOA"]);
      expect((await user.dig("example.org", "NS", tcp)).answer).toHaveLength(1);
      const alias = await user.dig("blog.example.org", "A", tcp);
      expect(alias.answer.map(({ type }) => type)).toEqual(["CNAME", "A"]);
      const nodata = await user.dig("note.example.org", "A", tcp);
      expect([nodata.status, nodata.answer.length]).toEqual(["NOERROR", 0]);
      expect(nodata.authority.map(({ type }) => type)).toEqual(["SOA"]);
      const nothing = await user.dig("nothing.example.org", "A", tcp);
      expect(nothing.status).toBe("NXDOMAIN");
      expect(nothing.authority.map(({ type }) => type)).toEqual(["SOA"]);
      expect((await user.dig("www.example.com", "A", tcp)).status).toBe("REFUSED");
    }
  });

  test("an edited address is a new answer, and a watch shows it", async () => {
    const watch = user.kubectl.watch(["get", "dnse", "www", "-w", "-o", "json"]);
    await watch.waitForLine(/192\.0\.2\.10"/);
    const patch = JSON.stringify({ spec: { targets: ["192.0.2.11"] } });
    await user.kubectl.ok(["patch", "dnse", "www", "--type=merge", "-p", patch]);
    await user.answersBecome("www.example.org", "A", ["192.0.2.11"]);
    await user.answersBecome("www.example.org", "AAAA", []);
    await watch.waitForLine(/192\.0\.2\.11"/);
    await watch.stop();
    await user.entryBecomes("www", "Ready");
  });

  test("a change of type leaves no gap and nothing behind", async () => {
    await user.apply(example("20-entry-alias.yaml").replace("- www.example.org", "- 192.0.2.20"));
    await user.answersBecome("blog.example.org", "A", ["192.0.2.20"]);
    expect(await user.answers("blog.example.org", "CNAME")).toEqual([]);
    await user.answersBecome("cname-blog.example.org", "TXT", []);
  });

  if (version !== "1.20")
    test("the status is a subresource", async () => {
      const patch = JSON.stringify({ status: { message: "by hand" }, spec: { ttl: 999 } });
      const line = ["patch", "dnse", "note", "--subresource=status", "--type=merge", "-p", patch];
      await user.kubectl.ok(line);
      expect((await user.get("dnse", "note")).spec?.["ttl"]).toBe(120);
    });

  test("a foreign record is never touched", async () => {
    const target = { port: user.dev.dnsPort, zone: "example.org", key: await user.embeddedKey() };
    const written = await nsupdate(target, ["update add theirs.example.org. 60 A 192.0.2.99"]);
    expect(written.stderr).toBe("");
    await user.apply(dnsEntry("theirs", "theirs.example.org", 'targets: ["192.0.2.1"]'));
    const entry = await user.entryBecomes("theirs", "Error");
    expect(String(entry.status?.["message"])).not.toBe("");
    expect(await user.answers("theirs.example.org")).toEqual(["192.0.2.99"]);
    await user.kubectl.ok(["delete", "dnse", "theirs"]);
    expect(await user.answers("theirs.example.org")).toEqual(["192.0.2.99"]);
  });

  test("with the Service go its entry, its record and its marker", async () => {
    const entries = () => user.list("dnse");
    const isEchos = ({ spec }: { readonly spec?: Readonly<Record<string, unknown>> }) =>
      spec?.["dnsName"] === "echo.example.org";
    expect((await entries()).filter(isEchos)).toHaveLength(1);
    await user.kubectl.ok(["delete", "svc", "echo"]);
    await user.answersBecome("echo.example.org", "A", []);
    await user.answersBecome("a-echo.example.org", "TXT", []);
    await eventually("the entry is gone", entries, (seen) => !seen.some(isEchos));
  });

  test("a stop by Ctrl-C and a start rewrite nothing and bring nothing back", async () => {
    const serial = await settledSerial(user);
    expect(await user.dev.interrupt()).toBe(0);
    await user.dev.restart();
    await isAsBefore(user, serial);
  });

  test("kill -9 loses nothing that was acknowledged", async () => {
    const entry = dnsEntry("last", "last.example.org", 'targets: ["192.0.2.123"]');
    const serial = await settledSerial(user);
    expect(await user.apply(entry)).toContain("created");
    await user.dev.kill9();
    await user.dev.restart();
    await user.answersBecome("last.example.org", "A", ["192.0.2.123"]);
    await user.kubectl.ok(["delete", "dnse", "last"]);
    await user.answersBecome("last.example.org", "A", []);
    const after = await settledSerial(user);
    expect(after).toBeGreaterThan(serial);
    await user.dev.kill9();
    await user.dev.restart();
    await isAsBefore(user, after);
  });
}

/** The serial once nothing has changed for a second. */
async function settledSerial(user: UserSession): Promise<number> {
  let last = await user.serial();
  for (let calm = 0; calm < 10; calm++) {
    await new Promise((wake) => setTimeout(wake, 100));
    const now = await user.serial();
    if (now !== last) calm = 0;
    last = now;
  }
  return last;
}

/** Entries are Ready again, the zone was not written, and what was deleted stays away. */
async function isAsBefore(user: UserSession, serial: number): Promise<void> {
  await user.entryBecomes("www", "Ready");
  expect(await settledSerial(user)).toBe(serial);
  expect(await user.answers("www.example.org")).toEqual(["192.0.2.11"]);
  expect(await user.answers("echo.example.org")).toEqual([]);
  expect((await user.list("svc")).map(({ metadata }) => metadata.name)).not.toContain("echo");
}
