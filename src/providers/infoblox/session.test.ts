/** infoblox-dns on its fake: calls that are counted, objects of others, zones. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  address,
  applyOnce,
  create,
  group,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import {
  addForeign,
  makeFake,
  openInfoblox,
  setsIn,
} from "../../../test/support/fakes/infoblox/harness.ts";
import type { FakeInfoblox } from "../../../test/support/fakes/infoblox/server.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeInfoblox;
let host: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = makeFake();
  host = await fake.start();
  fake.grid.addZone("example.org");
  session = openInfoblox(host);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Requests since the last question; those that only read as `read`. */
function requests(): readonly string[] {
  return fake.requests.splice(0).map((one) => (/^(GET ?)+$/.test(one) ? "read" : one));
}

function valuesOf(label: string, type = "A"): readonly string[] {
  const name = `${label}.example.org`;
  return setsIn(fake.grid).find((set) => set.name === name && set.type === type)?.values ?? [];
}

async function readAt(...labels: readonly string[]): Promise<readonly string[]> {
  const names = labels.map((label) => address(label).name);
  const { sets } = await session.records(await zoneOf(session), names, soon());
  return sets.map(({ name, type, ttlSeconds, values }) =>
    [name, type, ttlSeconds, ...values].join(" "),
  );
}

describe("calls", () => {
  test("what was written is changed by one call and no reading", async () => {
    await mustApply(session, [create(address("one"))]);
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    expect(requests()).toEqual(["POST", "PUT", "DELETE"]);
  });

  test("values that stay are not touched, and others take the place of what goes", async () => {
    const before = address("one", "192.0.2.1", "192.0.2.2", "192.0.2.3");
    const after = address("one", "192.0.2.1", "192.0.2.4");
    await mustApply(session, [create(before)]);
    await mustApply(session, [replace(before, after)]);
    expect(requests()).toEqual(["POST POST POST", "DELETE PUT"]);
    expect(valuesOf("one")).toEqual(after.values);
  });

  test("an AAAA record is not changed: another one takes its place, in one call", async () => {
    const before = recordSet("one.example.org", "AAAA", "2001:db8::1", "2001:db8::2");
    const after = recordSet("one.example.org", "AAAA", "2001:db8::1", "2001:db8::3");
    await mustApply(session, [create(before)]);
    await mustApply(session, [replace(before, { ...after, ttlSeconds: 60 })]);
    expect(requests()).toEqual(["POST POST", "DELETE PUT POST"]);
    expect(valuesOf("one", "AAAA")).toEqual(after.values);
  });

  test("another TTL changes each record that stays", async () => {
    const before = address("one", "192.0.2.1", "192.0.2.2");
    await mustApply(session, [create(before)]);
    await mustApply(session, [replace(before, { ...before, ttlSeconds: 60 })]);
    expect(requests()).toEqual(["POST POST", "PUT PUT"]);
    expect(await readAt("one")).toEqual(["one.example.org A 60 192.0.2.1 192.0.2.2"]);
  });

  test("another type comes with the removal of the first, in one call", async () => {
    await mustApply(session, [create(address("one"))]);
    const alias = recordSet("one.example.org", "CNAME", "lb.example.net");
    const changes = [
      { op: "create", next: alias },
      { op: "remove", previous: address("one") },
    ] as const;
    await mustApply(session, [group(alias.name, changes)]);
    const other = recordSet("one.example.org", "CNAME", "lb2.example.net");
    await mustApply(session, [replace(alias, other)]);
    expect(requests()).toEqual(["POST", "DELETE POST", "PUT"]);
    expect(valuesOf("one", "CNAME")).toEqual(["lb2.example.net"]);
  });

  test("500 new names with their markers are one call", async () => {
    const groups = Array.from({ length: 500 }, (_, index) => {
      const next = address(`n${index}`);
      const marker = recordSet(`a-n${index}.example.org`, "TXT", '"heritage=x"');
      return group(next.name, [
        { op: "create", next: marker },
        { op: "create", next },
      ]);
    });
    await mustApply(session, groups);
    expect(requests()).toHaveLength(1);
  });

  test("names are read by one question, a zone by its pages, many names by the zone", async () => {
    const zone = await zoneOf(session);
    const names = Array.from({ length: 72 }, (_, index) => address(`n${index}`).name);
    expect((await session.records(zone, names.slice(1), soon())).pages).toBe(1);
    expect((await session.records(zone, names, soon())).pages).toBe(2);
    expect(requests()).toEqual(["read", "read", "read"]);
    expect((await session.records(zone, null, soon())).pages).toBe(14);
    const many = Array.from({ length: 71 * 14 + 1 }, (_, index) => address(`n${index}`).name);
    expect((await session.records(zone, many, soon())).pages).toBe(14);
    expect(requests()).toEqual([]);
  });

  test("a page that is full is followed by the next, and each is paced", async () => {
    const small = openInfoblox(host, {}, { maxResults: 2 });
    let paced = 0;
    small.pace?.(async () => {
      paced += 1;
    });
    addForeign(fake.grid, address("many", ..."12345".split("").map((one) => `192.0.2.${one}`)));
    const { sets, pages } = await small.records(await zoneOf(small), null, soon());
    expect(sets.find(({ type }) => type === "A")?.values).toHaveLength(5);
    expect([pages, paced]).toEqual([16, 15]);
    small.close();
  });

  test("the password is one login, and the Grid's cookie does for the calls that follow", async () => {
    await readAt("one");
    await readAt("two");
    expect(fake.logins).toBe(1);
  });

  test("a dry run reads, by POST too, and writes nothing", async () => {
    const dry = openInfoblox(host, { dryRun: true });
    const zone = await zoneOf(dry);
    await dry.records(zone, [address("one").name], soon());
    await expect(applyOnce(dry, [create(address("one"))])).rejects.toThrow("in a dry run");
    expect(requests()).toEqual(["read"]);
    dry.close();
  });
});

describe("objects of others", () => {
  const hostRecord = {
    name: "one.example.org",
    ipv4addrs: [{ ipv4addr: "192.0.2.9" }],
    ipv6addrs: [{ ipv6addr: "2001:db8::9" }],
  };

  test("a host record is shown as addresses, with the TTL of its zone", async () => {
    fake.grid.create("record:host", hostRecord);
    expect(await readAt("one")).toEqual([
      "one.example.org A 28800 192.0.2.9",
      "one.example.org AAAA 28800 2001:db8::9",
    ]);
  });

  test.each([
    ["removed", remove(address("one", "192.0.2.1", "192.0.2.9"))],
    ["replaced", replace(address("one", "192.0.2.1", "192.0.2.9"), address("one", "192.0.2.1"))],
  ])("a host record is never %s", async (_what, change) => {
    await mustApply(session, [create(address("one")), create(address("two"))]);
    fake.grid.create("record:host", hostRecord);
    const outcomes = await applyOnce(session, [change, create(address("three"))]);
    expect(outcomes).toEqual([
      expect.objectContaining({
        status: "rejected",
        message: expect.stringContaining("192.0.2.9 belongs to an object"),
      }),
      expect.objectContaining({ status: "refused-together" }),
    ]);
    expect(valuesOf("one")).toEqual(["192.0.2.1", "192.0.2.9"]);
  });

  test("a disabled record is not shown, and a value that it holds is refused with its remedy", async () => {
    const fields = { name: "one.example.org", ipv4addr: "192.0.2.1", disable: true };
    fake.grid.create("record:a", fields);
    const [first] = await applyOnce(session, [create(address("one"))]);
    expect(first?.status).toBe("precondition-failed");
    expect(await readAt("one")).toEqual([]);
    const [second] = await applyOnce(session, [create(address("one"))]);
    expect(second).toMatchObject({
      status: "rejected",
      message: "a disabled record with the value 192.0.2.1 is there; enable it, or remove it",
    });
    await mustApply(session, [create(address("one", "192.0.2.2"))]);
  });

  test("comments and attributes stay with a value that changes", async () => {
    const fields = { name: "one.example.org", ipv4addr: "192.0.2.1", ttl: 900, use_ttl: true };
    const extattrs = { Site: { value: "Berlin" } };
    fake.grid.create("record:a", { ...fields, comment: "ticket 7", extattrs });
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    const record = fake.grid.objects.find(({ object }) => object === "record:a");
    expect(record?.fields).toMatchObject({ ipv4addr: "192.0.2.2", comment: "ticket 7", extattrs });
  });

  test("what somebody changed since it was read is not overwritten", async () => {
    await mustApply(session, [create(address("one"))]);
    const [record] = fake.grid.objects.filter(({ object }) => object === "record:a");
    fake.grid.change(record?._ref ?? "", { ipv4addr: "192.0.2.9" });
    const changes = [replace(address("one"), address("one", "192.0.2.2")), create(address("two"))];
    expect((await applyOnce(session, changes)).map(({ status }) => status)).toEqual([
      "precondition-failed",
      "precondition-failed",
    ]);
    expect([valuesOf("one"), valuesOf("two")]).toEqual([["192.0.2.9"], []]);
  });

  test("records of a zone below are not of this one", async () => {
    fake.grid.addZone("sub.example.org", { disable: true });
    addForeign(fake.grid, recordSet("www.sub.example.org", "A", "192.0.2.1"));
    expect(await readAt("www.sub")).toEqual([]);
    const { sets } = await session.records(await zoneOf(session), null, soon());
    expect(sets.map(({ type }) => type)).toEqual(["NS"]);
  });

  test("new records get the attributes of the configuration", async () => {
    const marked = openInfoblox(host, {}, { extAttrs: { Site: "Berlin", Cost: 7 } });
    await mustApply(marked, [create(address("one"))]);
    const record = fake.grid.objects.find(({ object }) => object === "record:a");
    const extattrs = { Site: { value: "Berlin" }, Cost: { value: 7 } };
    expect(record?.fields["extattrs"]).toEqual(extattrs);
    marked.close();
  });
});

describe("zones", () => {
  test("those of names that this Grid answers for in the view", async () => {
    fake.grid.addZone("off.example", { disable: true });
    fake.grid.addZone("secondary.example", { primary_type: "External" });
    fake.grid.addZone("192.0.2.0/24", { zone_format: "IPV4" });
    fake.grid.addZone("example.org", { view: "inner" });
    fake.grid.addZone("example.net", { view: "inner" });
    const inner = openInfoblox(host, {}, { view: "inner" });
    const zones = [...(await session.zones(soon())), ...(await inner.zones(soon()))];
    expect(zones.map(({ name, view }) => `${view} ${name}`)).toEqual([
      "default example.org",
      "inner example.org",
      "inner example.net",
    ]);
    expect(new Set(zones.map(({ id }) => id)).size).toBe(3);
    inner.close();
  });
});
