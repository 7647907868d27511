import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { NameExplanation } from "../contract/name-explanation.ts";

const WWW = trustedDnsName("www.example.org");

/** The contribution of the DNSEntry `by` to www, created at that time. */
function contributionOf(by: string, value: string, createdAtMs = 0): Contribution {
  const { object, found, ...rest } = entry("www", [value]);
  const provenance = { ...object, name: by };
  const items = found.items.map((item) => ({ ...item, provenance, createdAtMs }));
  return { ...rest, object: provenance, found: { ...found, items } };
}

async function opened() {
  const world = engineWorld();
  world.engine.openZone(world.zoneInput);
  await world.clock.advance(1_000);
  const explain = async (name = WWW): Promise<NameExplanation> => {
    const [explanation] = await world.engine.explain(name);
    if (explanation === undefined) throw new Error("no zone could hold it");
    return explanation;
  };
  const claims = async (): Promise<readonly string[]> =>
    (await explain()).claims.map(({ object, place, reason }) =>
      `${object.name} ${place} ${reason}`.trim(),
    );
  return { ...world, explain, claims };
}

describe("who gets a name, and why (Z-15)", () => {
  test("the older object, until a marker names the owner", async () => {
    const { clock, engine, claims, explain } = await opened();
    engine.contribute(KEY, contributionOf("younger", "192.0.2.2", 2_000));
    engine.contribute(KEY, contributionOf("older", "192.0.2.1", 1_000));
    expect(await claims()).toEqual([
      "older first",
      "younger behind dnsentry/default/older comes first: it is older, of 1970-01-01T00:00:01Z",
    ]);
    expect((await explain()).verdict).toBe("open");
    await clock.advance(5_000);
    engine.contribute(KEY, contributionOf("oldest", "192.0.2.3", 0));
    await clock.advance(5_000);
    expect(await claims()).toEqual([
      "older first",
      "oldest behind dnsentry/default/older comes first: the marker at the name names it",
      "younger behind dnsentry/default/older comes first: the marker at the name names it",
    ]);
  });

  test("equal data of two objects is one record of both, and settled (Z-28)", async () => {
    const { clock, engine, claims, explain } = await opened();
    engine.contribute(KEY, contributionOf("first", "192.0.2.1", 1_000));
    engine.contribute(KEY, contributionOf("second", "192.0.2.1", 2_000));
    await clock.advance(5_000);
    expect(await claims()).toEqual([
      "first first",
      "second shares also wanted by dnsentry/default/first, with equal data; the record has that object's marker",
    ]);
    const { verdict, holds } = await explain();
    expect([verdict, holds]).toEqual(["settled", []]);
  });

  test.each([
    ["LooksLikeMarker", WWW, '"heritage=external-dns,external-dns/owner=me"'],
    ["UnmanagedType", WWW, "10 mx.example.org"],
    ["ReservedName", trustedDnsName("_permit.a.www.example.org"), '"v=1"'],
  ])(
    "an object that can never publish the name does not compete for it: %s",
    async (code, name, value) => {
      const { clock, engine, explain } = await opened();
      const type = code === "UnmanagedType" ? "MX" : "TXT";
      const unpublishable = (by: string, text: string, createdAtMs: number): Contribution => {
        const { found, ...rest } = contributionOf(by, text, createdAtMs);
        const items = found.items.map((item) => ({ ...item, name, type }));
        return { ...rest, found: { ...found, items } };
      };
      engine.contribute(KEY, unpublishable("u1", value, 1_000));
      if (code === "LooksLikeMarker") engine.contribute(KEY, unpublishable("u2", '"hello"', 2_000));
      await clock.advance(5_000);
      const { claims, holds } = await explain(name);
      expect(holds.map((hold) => hold.code)).toEqual([code]);
      const order = claims.map(({ object, place }) => `${object.name} ${place}`);
      expect(order).toEqual(
        code === "LooksLikeMarker" ? ["u2 first", "u1 refused"] : ["u1 refused"],
      );
      expect(claims.at(-1)?.reason).toBe(holds[0]?.message);
    },
  );

  test("an object that waits or goes is shown with the others", async () => {
    const { clock, engine, claims } = await opened();
    const waits = { items: [], waiting: [{ name: WWW, reason: "NoTargets" }] };
    engine.contribute(KEY, contributionOf("web", "192.0.2.1"));
    const lost = contributionOf("lost", "192.0.2.2");
    engine.contribute(KEY, { ...lost, found: { ...lost.found, ...waits } });
    engine.contribute(KEY, { ...contributionOf("gone", "192.0.2.3"), deleting: true });
    await clock.advance(5_000);
    expect(await claims()).toEqual(["web first", "lost waits NoTargets", "gone leaves"]);
  });
});

describe("the verdict on a name", () => {
  test("unknown, open, settled, held", async () => {
    const { clock, engine, content, explain } = await opened();
    expect((await explain()).verdict).toBe("unknown");
    engine.contribute(KEY, contributionOf("web", "192.0.2.1"));
    expect((await explain()).verdict).toBe("open");
    await clock.advance(5_000);
    expect(await explain()).toMatchObject({ verdict: "settled", standing: [{ whose: "ours" }] });
    const [owned] = (await explain()).current;
    if (owned === undefined) throw new Error("no record exists");
    const foreign = { ...owned, name: trustedDnsName("x.example.org") };
    content.write([{ key: foreign, next: foreign }], clock.monotonicMs());
    await clock.advance(20_000);
    expect(await explain(trustedDnsName("x.example.org"))).toMatchObject({
      verdict: "settled",
      standing: [{ whose: "nobody", owners: [] }],
    });
    engine.contribute(KEY, entry("x", ["192.0.2.9"]));
    await clock.advance(20_000);
    expect(await explain(trustedDnsName("x.example.org"))).toMatchObject({
      verdict: "open",
      claims: [{ place: "held", reason: expect.stringContaining("ForeignRecord") }],
    });
  });

  test("the name of a marker shows its owner and its records", async () => {
    const { clock, engine, content, explain } = await opened();
    engine.contribute(KEY, contributionOf("web", "192.0.2.1"));
    await clock.advance(5_000);
    const marker = trustedDnsName("a-www.example.org");
    expect(await explain(marker)).toMatchObject({
      ...{ verdict: "settled", claims: [], standing: [] },
      marks: [
        {
          ...{ is: "marker", whose: "ours", resource: "dnsentry/default/web", format: null },
          of: [{ name: WWW, type: "A", setIdentifier: null }],
          set: { name: marker, type: "TXT" },
        },
      ],
    });
    const [set] = (await explain(marker)).marks?.map((mark) => mark.set) ?? [];
    if (set === undefined) throw new Error("there is no marker");
    const foreignMarker = { ...set, name: trustedDnsName("a-db.example.org") };
    const values = ['"heritage=external-dns,external-dns/owner=them"'];
    content.write(
      [{ key: foreignMarker, next: { ...foreignMarker, values } }],
      clock.monotonicMs(),
    );
    await clock.advance(20_000);
    expect(await explain(foreignMarker.name)).toMatchObject({
      verdict: "settled",
      marks: [{ whose: "another", owner: "them", of: [{ name: "db.example.org", type: "A" }] }],
    });
    expect((await explain()).marks, "a user's record is no marker").toBeUndefined();
    expect((await explain(trustedDnsName("a-none.example.org"))).verdict).toBe("unknown");
  });

  test("a zone that cannot be read is trouble", async () => {
    const { engine, zoneInput } = engineWorld();
    engine.openZone(zoneInput);
    expect((await engine.explain(WWW))[0]?.verdict).toBe("trouble");
  });
});
