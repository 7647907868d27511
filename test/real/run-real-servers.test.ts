/**
 * `zonekeeper run` from `kubectl apply` to an answer, against BIND, Knot and PowerDNS with the
 * embedded API, and against BIND with a real kube-apiserver; in the campaign all but BIND with the
 * embedded API. dig and kdig are the judges.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_SERVERS, type ApiServerEntry } from "../support/api-servers/index.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";
import { account, entry, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";

for (const kind of REAL_SERVERS.filter(({ name }) => name !== "embedded"))
  for (const api of API_SERVERS.filter(({ name }) => name === "embedded" || kind.name === "BIND")) {
    const needs = ["kubectl-1.32", "dig", ...kind.storyNeeds, ...api.needs] as const;
    describeReal(`run with ${kind.name} and ${api.name}`, needs, () => story(kind, api));
  }

/** The tests are one session in order: each begins where the one before ended. */
function story(kind: RealServerEntry, api: ApiServerEntry): void {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    const server = await kind.start({ zone: ZONE, records: ["theirs 300 IN A 192.0.2.99"] });
    zone = new RealZone(server, kind.name === "Knot" ? "kdig" : "dig");
    session = await RunSession.open(api.start);
    user = session.user;
    instance = await session.run("group-one");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("a Secret and a DNSProvider become Ready", async () => {
    await user.apply(account("theirs", zone.server));
    await user.becomes("dnspr", "theirs", "Ready");
  });

  test("addresses of both families, with their markers", async () => {
    await user.apply(
      entry("www", zone.name("www"), { targets: ["192.0.2.1", "2001:db8::1"], ttl: 60 }),
    );
    await zone.becomes("www", "A", "192.0.2.1");
    await zone.becomes("www", "AAAA", "2001:db8::1");
    await user.becomes("dnse", "www", "Ready");
    for (const type of ["a", "aaaa"]) {
      const [marker = ""] = await zone.answers(`${type}-www`, "TXT");
      expect(marker).toMatch(
        /heritage=external-dns,external-dns\/cluster=[^,]+,external-dns\/owner=group-one/,
      );
      expect(marker).toContain("external-dns/resource=dnsentry/default/www");
    }
  });

  test("an alias, a text and a wildcard", async () => {
    await user.apply(entry("blog", zone.name("blog"), { targets: [zone.name("www")] }));
    await user.apply(entry("note", zone.name("note"), { text: ['say "hello"', "again"] }));
    await user.apply(entry("wild", zone.name("*.apps"), { targets: ["192.0.2.40"] }));
    await zone.becomes("blog", "CNAME", `${zone.name("www")}.`);
    await zone.becomes("note", "TXT", '"again"', '"say \\"hello\\""');
    await zone.becomes("anything.apps", "A", "192.0.2.40");
    await user.becomes("dnse", "wild", "Ready");
    expect(await zone.answers("cname-blog", "TXT")).toHaveLength(1);
    const wildcardMarkers = (await zone.content()).filter((line) =>
      line.includes("dnsentry/default/wild"),
    );
    expect(wildcardMarkers).toHaveLength(1);
  });

  test("an annotated Service: published when it has an address, changed with it", async () => {
    await user.apply(service("echo", zone.name("echo")));
    await user.balance("svc", "echo", "192.0.2.50");
    await zone.becomes("echo", "A", "192.0.2.50");
    expect((await zone.answers("a-echo", "TXT"))[0]).toContain("resource=service/default/echo");
    await user.balance("svc", "echo", "192.0.2.51", "2001:db8::51");
    await zone.becomes("echo", "A", "192.0.2.51");
    await zone.becomes("echo", "AAAA", "2001:db8::51");
  });

  test("a change of value and of type", async () => {
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"], ttl: 60 }));
    await zone.becomes("www", "A", "192.0.2.2");
    await zone.becomes("www", "AAAA");
    await zone.becomes("aaaa-www", "TXT");
    await user.apply(entry("blog", zone.name("blog"), { targets: ["192.0.2.3"] }));
    await zone.becomes("blog", "A", "192.0.2.3");
    await zone.becomes("cname-blog", "TXT");
  });

  test("what is deleted goes with its markers; the rest stays", async () => {
    await user.delete("dnse", "blog", "note");
    await user.delete("svc", "echo");
    await zone.becomes("echo", "A");
    const left = (await zone.content()).filter((line) => /blog|note|echo/.test(line));
    expect(left).toEqual([]);
    expect(await zone.answers("www")).toEqual(["192.0.2.2"]);
    expect(await zone.answers("theirs")).toEqual(["192.0.2.99"]);
  });

  test("a record of somebody else is not touched, and the entry says whose it is", async () => {
    await user.apply(entry("theirs", zone.name("theirs"), { targets: ["192.0.2.1"] }));
    const message = await user.becomes("dnse", "theirs", "Error");
    expect(message).toMatch(/theirs\.example\.net.*192\.0\.2\.99|192\.0\.2\.99/);
    expect(await zone.answers("theirs")).toEqual(["192.0.2.99"]);
    const explained = await instance.cli("explain", zone.name("theirs"));
    expect(explained.code, "it is held").toBe(2);
    expect(explained.stdout).toContain("192.0.2.99");
    expect(explained.stdout).toContain("foreign");
    expect((await instance.cli("plan")).code).toBe(2);
  });

  test("when the foreign record goes, the name is published", async () => {
    await zone.foreignWriter(`update delete ${zone.name("theirs")}. A`);
    await zone.becomes("theirs", "A", "192.0.2.1");
    await user.becomes("dnse", "theirs", "Ready");
    await instance.hasNothingToDo();
  });

  test("kill -9 and a start: nothing is rewritten, what was asked meanwhile is done", async () => {
    await instance.kill9();
    const before = await zone.serial();
    await instance.restart();
    await instance.hasNothingToDo();
    expect(await zone.serial()).toBe(before);
    await instance.kill9();
    await user.apply(entry("late", zone.name("late"), { targets: ["192.0.2.6"] }));
    await user.kubectl.ok(["delete", "dnse", "theirs", "--wait=false"]);
    await instance.restart();
    await zone.becomes("late", "A", "192.0.2.6");
    await zone.becomes("theirs", "A");
  });

  test("a server that was killed and comes back: what stood stays, what waited arrives", async () => {
    await zone.server.kill9();
    await user.apply(entry("patient", zone.name("patient"), { targets: ["192.0.2.7"] }));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.8"], ttl: 60 }));
    await user.becomes("dnse", "patient", "Error", /127\.0\.0\.1/);
    await zone.server.restart();
    await zone.becomes("patient", "A", "192.0.2.7");
    await zone.becomes("www", "A", "192.0.2.8");
    expect(await zone.answers("late")).toEqual(["192.0.2.6"]);
  });

  test("SIGTERM ends it in good order and takes nothing away", async () => {
    const before = await zone.content();
    expect(await instance.stop()).toBe(0);
    expect(await zone.content()).toEqual(before);
  });
}
