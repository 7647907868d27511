/** pihole on its fake: lines of people, odd answers, sessions that end. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openPihole, piholeHarness } from "../../../test/support/fakes/pihole/harness.ts";
import { FakePihole } from "../../../test/support/fakes/pihole/server.ts";
import { realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import { vendorWorld } from "../../../test/support/worlds/vendor-world.ts";
import type { ProviderSession } from "../provider.ts";
import { linesIn } from "./lines.ts";
import { PIHOLE_PROVIDER } from "./session.ts";

let fake: FakePihole;
let server: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = new FakePihole();
  server = await fake.start();
  session = openPihole(server, fake.password);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

const hosts = (...lines: readonly string[]) => fake.lists["hosts"]?.splice(0, 99, ...lines);
const cnames = (...lines: readonly string[]) => fake.lists["cnameRecords"]?.splice(0, 99, ...lines);
const read = async (one = session) => {
  const [zone = await zoneOf(one)] = await one.zones(soon());
  return (await one.records(zone, null, soon())).sets.map(
    ({ name, type, ttlSeconds, values }) => `${name} ${ttlSeconds} ${type} ${values.join(" ")}`,
  );
};
const www = recordSet("www.example.org", "A", "192.0.2.1");

describe("lines of people", () => {
  test("are read as dnsmasq reads them, and those of other domains are not", async () => {
    hosts("  192.0.2.1\twww.example.org WWW2.example.org # ours", "2001:DB8::1 example.org");
    fake.lists["hosts"]?.push("192.0.2.2 nas.lan", "192.0.2.3 www.example.org");
    cnames("a.example.org, b.example.org,target.lan,60", "c.example.org,target.lan");
    fake.lists["cnameRecords"]?.push(...[90, 30].map((ttl) => `d.example.org,target.lan,${ttl}`));
    expect(await read()).toEqual([
      "a.example.org 60 CNAME target.lan",
      "b.example.org 60 CNAME target.lan",
      "c.example.org 300 CNAME target.lan",
      "d.example.org 30 CNAME target.lan",
      "example.org 300 AAAA 2001:db8::1",
      "www.example.org 300 A 192.0.2.1 192.0.2.3",
      "www2.example.org 300 A 192.0.2.1",
    ]);
  });

  test("with several names are never changed, whatever else would be", async () => {
    hosts("192.0.2.1 www.example.org www");
    const next = recordSet("www.example.org", "A", "192.0.2.2");
    for (const change of [replace(www, next), remove(www)])
      expect(await applyOnce(session, [change])).toMatchObject([
        { status: "rejected", code: "Pihole409", message: expect.stringContaining("other names") },
      ]);
    expect(fake.lists["hosts"]).toEqual(["192.0.2.1 www.example.org www"]);
  });

  test("bar what is another type, and what is not as it was read", async () => {
    cnames("www.example.org,target.lan");
    const alias = recordSet("www.example.org", "CNAME", "other.lan");
    for (const change of [create(www), remove(www), replace(alias, withTtl(alias, 60))])
      expect(await applyOnce(session, [change])).toMatchObject([{ status: "precondition-failed" }]);
    expect(fake.lists["cnameRecords"]).toEqual(["www.example.org,target.lan"]);
  });
});

test("the line of a CNAME goes before the next one comes, and has its TTL", async () => {
  const before = recordSet("www.example.org", "CNAME", "a.lan");
  const after = withTtl(recordSet("www.example.org", "CNAME", "b.lan"), 60);
  await mustApply(session, [create(withTtl(before, 300))]);
  expect(fake.lists["cnameRecords"]).toEqual(["www.example.org,a.lan"]);
  await mustApply(session, [replace(before, after)]);
  expect(fake.lists["cnameRecords"]).toEqual(["www.example.org,b.lan,60"]);
});

test.each([
  ["hosts", "nonsense"],
  ["hosts", "192.0.2.1"],
  ["hosts", "192.0.2.1 # www.example.org"],
  ["cnameRecords", "alone"],
  ["cnameRecords", ",x"],
  ["cnameRecords", "a,,x"],
] as const)(
  "a line of %s such as %j has no record, and makes the reading incomplete",
  async (list, text) => {
    expect(linesIn(list, text)).toBeNull();
    fake.lists[list]?.push(text);
    await expect(read()).rejects.toMatchObject({ code: "ProviderUnavailable" });
  },
);

test.each([
  [200, "{}"],
  [200, '{"config":{"dns":{"hosts":[1]}}}'],
  [404, "{}"],
  [500, "<html>no</html>"],
])("a reading that answers %i %s is no empty zone", async (status, body) => {
  const zone = await zoneOf(session);
  fake.breakNext(/^GET /, { is: "refused", status, body });
  await expect(session.records(zone, null, soon())).rejects.toMatchObject({
    code: "ProviderUnavailable",
  });
});

test("a session that ended is renewed, and a wrong password is told without it", async () => {
  hosts("192.0.2.1 www.example.org");
  await read();
  fake.endSessions();
  expect(await read()).toHaveLength(1);
  const wrong = openPihole(server, "another-password");
  const error = await wrong.zones(soon()).catch((one: unknown) => one);
  expect(error).toMatchObject({ code: "ProviderCredentials" });
  expect(String(error)).toContain("password incorrect");
  expect(String(error)).not.toContain("another-password");
  wrong.close();
});

test("no seat is left: the account waits", async () => {
  fake.throttleNext(/^POST \/api\/auth/, "", 5);
  await expect(session.zones(soon())).rejects.toMatchObject({ code: "Throttled" });
});

test("a Pi-hole without a password is asked without a session", async () => {
  const secret = { Server: server };
  const opened = PIHOLE_PROVIDER.open({ secret, config: { zones: ["a.lan"] } }, realEnvironment());
  if (!opened.ok) throw new Error("no session");
  fake.breakNext(/^GET /, { is: "refused", status: 200, body: '{"config":{"dns":{"hosts":[]}}}' });
  expect(await opened.value.zones(soon())).toMatchObject([{ name: "a.lan" }]);
  expect(fake.takeCalls().map(({ method }) => method)).toEqual(["GET"]);
  opened.value.close();
});

test.each([
  [{ Server: "http://pihole" }, null, "zones"],
  [{ Password: "x" }, { zones: ["a.lan"] }, "the key Server of the Secret is missing"],
  [{ Server: "pihole" }, { zones: ["a.lan"] }, "is no address"],
])("settings %j %j", (secret, config, text) => {
  const opened = PIHOLE_PROVIDER.open({ secret, config }, realEnvironment());
  expect(opened.ok ? [] : opened.error.map(({ message }) => message).join()).toContain(text);
});

test("what is no name of hosts is held before it is tried", async () => {
  const zone = await zoneOf(session);
  const codes = [
    recordSet("*.example.org", "A", "192.0.2.1"),
    recordSet("a.example.org", "CNAME", String.raw`b\,c.lan`),
    recordSet("a.example.org", "TXT", '"x"'),
  ].map((set) => session.audit(set, zone)[0]?.code);
  expect(codes).toEqual(["InvalidName", "InvalidName", "UnsupportedType"]);
});

test("a text is no line, whoever sends one", async () => {
  const text = recordSet("www.example.org", "TXT", "192.0.2.1");
  expect(await applyOnce(session, [create(text)])).toMatchObject([{ status: "rejected" }]);
  expect(fake.lists["hosts"]).toEqual([]);
});

test("a zone below another one has its own records", async () => {
  hosts("192.0.2.1 www.example.org", "192.0.2.2 www.sub.example.org");
  const both = openPihole(server, fake.password, {}, ["example.org", "sub.example.org"]);
  expect(await read(both)).toEqual(["www.example.org 300 A 192.0.2.1"]);
  both.close();
});

test("with markers of the TXT registry all is held, and nothing is written", async () => {
  const harness = await piholeHarness();
  const world = await vendorWorld(harness);
  await world.publish(["www"], "192.0.2.1", ["www"]);
  expect(world.stateOf("www")).toMatch(/^held .*TXT/);
  expect(await harness.poll(www.name, "A")).toBeNull();
  await world.stop();
});
