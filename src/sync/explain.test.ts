import { describe, expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../test/support/engine-world.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import type { Contribution, NameExplanation } from "./contract.ts";

const WWW = trustedDnsName("www.example.org");

/** What the DNSEntry `by` wants at www, made at that time. */
function wish(by: string, value: string, createdAtMs = 0): Contribution {
  const { object, found, ...rest } = entry("www", [value]);
  const provenance = { ...object, name: by };
  const items = found.items.map((item) => ({ ...item, provenance, createdAtMs }));
  return { ...rest, object: provenance, found: { ...found, items } };
}

async function opened() {
  const world = engineWorld();
  world.engine.openZone(world.setup);
  await world.clock.advance(1_000);
  const explain = (name = WWW): NameExplanation => {
    const [story] = world.engine.explain(name);
    if (story === undefined) throw new Error("no zone could hold it");
    return story;
  };
  const claims = (): readonly string[] =>
    explain().claims.map(({ object, place, reason }) => `${object.name} ${place} ${reason}`.trim());
  return { ...world, explain, claims };
}

describe("who gets a name, and why (Z-15)", () => {
  test("the older object, until the marker says whose it is", async () => {
    const { clock, engine, claims, explain } = await opened();
    engine.contribute(KEY, wish("younger", "192.0.2.2", 2_000));
    engine.contribute(KEY, wish("older", "192.0.2.1", 1_000));
    expect(claims()).toEqual([
      "older first",
      "younger behind dnsentry/default/older comes first: it is older, of 1970-01-01T00:00:01.000Z",
    ]);
    expect(explain().verdict).toBe("open");
    await clock.advance(5_000);
    engine.contribute(KEY, wish("oldest", "192.0.2.3", 0));
    await clock.advance(5_000);
    expect(claims()).toEqual([
      "older first",
      "oldest behind dnsentry/default/older comes first: the marker at the name is its own",
      "younger behind dnsentry/default/older comes first: the marker at the name is its own",
    ]);
  });

  test("an object that waits or goes is shown with the others", async () => {
    const { clock, engine, claims } = await opened();
    const waits = { items: [], waiting: [{ name: WWW, reason: "NoTargets" }] };
    engine.contribute(KEY, wish("web", "192.0.2.1"));
    const lost = wish("lost", "192.0.2.2");
    engine.contribute(KEY, { ...lost, found: { ...lost.found, ...waits } });
    engine.contribute(KEY, { ...wish("gone", "192.0.2.3"), deleting: true });
    await clock.advance(5_000);
    expect(claims()).toEqual(["web first", "lost waits NoTargets", "gone leaves"]);
  });
});

describe("how a name stands", () => {
  test("unknown, in the making, settled, held", async () => {
    const { clock, engine, content, explain } = await opened();
    expect(explain().verdict).toBe("unknown");
    engine.contribute(KEY, wish("web", "192.0.2.1"));
    expect(explain().verdict).toBe("open");
    await clock.advance(5_000);
    expect(explain()).toMatchObject({ verdict: "settled", standing: [{ whose: "ours" }] });
    const [ours] = explain().current;
    if (ours === undefined) throw new Error("nothing stands");
    const foreign = { ...ours, name: trustedDnsName("x.example.org") };
    content.write([{ key: foreign, next: foreign }], clock.monotonicMs());
    await clock.advance(20_000);
    expect(explain(trustedDnsName("x.example.org"))).toMatchObject({
      verdict: "settled",
      standing: [{ whose: "nobody", owners: [] }],
    });
    engine.contribute(KEY, entry("x", ["192.0.2.9"]));
    await clock.advance(20_000);
    expect(explain(trustedDnsName("x.example.org"))).toMatchObject({
      verdict: "open",
      claims: [{ place: "held", reason: expect.stringContaining("ForeignRecord") }],
    });
  });

  test("a marker's own name tells whose it is and what it speaks for", async () => {
    const { clock, engine, content, explain } = await opened();
    engine.contribute(KEY, wish("web", "192.0.2.1"));
    await clock.advance(5_000);
    const marker = trustedDnsName("a-www.example.org");
    expect(explain(marker)).toMatchObject({
      ...{ verdict: "settled", claims: [], standing: [] },
      marks: [
        {
          ...{ is: "marker", whose: "ours", resource: "dnsentry/default/web", format: null },
          of: [{ name: WWW, type: "A", setIdentifier: null }],
          set: { name: marker, type: "TXT" },
        },
      ],
    });
    const [set] = explain(marker).marks?.map((mark) => mark.set) ?? [];
    if (set === undefined) throw new Error("there is no marker");
    const theirs = { ...set, name: trustedDnsName("a-db.example.org") };
    const values = ['"heritage=external-dns,external-dns/owner=them"'];
    content.write([{ key: theirs, next: { ...theirs, values } }], clock.monotonicMs());
    await clock.advance(20_000);
    expect(explain(theirs.name)).toMatchObject({
      verdict: "settled",
      marks: [{ whose: "another", owner: "them", of: [{ name: "db.example.org", type: "A" }] }],
    });
    expect(explain().marks, "a user's record is none").toBeUndefined();
    expect(explain(trustedDnsName("a-none.example.org")).verdict).toBe("unknown");
  });

  test("a zone that cannot be read is trouble", () => {
    const { engine, setup } = engineWorld();
    engine.openZone(setup);
    expect(engine.explain(WWW)[0]?.verdict).toBe("trouble");
  });
});
