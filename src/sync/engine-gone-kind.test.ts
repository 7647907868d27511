/** Z-3: a kind that its cluster no longer serves, while records name objects of it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KindState } from "@zonekeeper/kube/ports/cluster-view";
import { expect, test } from "vitest";
import { fakeObserver } from "../../test/support/values/fake-observer.ts";
import { engineWorld, entry, KEY } from "../../test/support/worlds/engine-world.ts";

/** The zone after a watched deletion of `a`, while the kind is not served. */
async function deletedWhileGone(markerKind: string) {
  let state: KindState = "live";
  const kind = { cluster: "c1", kind: `${markerKind}s`, markerKind };
  const kinds = () => [{ ...kind, state, isRemembered: true, trouble: null }];
  const world = engineWorld({ observer: fakeObserver("absent", { kinds }) });
  const { engine, clock, zoneInput } = world;
  engine.openZone(zoneInput);
  for (const name of ["a", "b"]) engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  await clock.advance(5_000);
  state = "absent";
  engine.withdraw(entry("a", []).object, "deleted-object");
  await clock.advance(5_000);
  const holds = engine.status().flatMap(({ open }) => open.flatMap((plan) => plan.holds));
  const serve = async () => {
    state = "live";
    engine.gatesChanged();
    await clock.advance(5_000);
  };
  return { ...world, holds, serve };
}

test("Z-3 markers name objects of a kind that is gone: removals wait until it is back", async () => {
  const { values, holds, serve } = await deletedWhileGone("dnsentry");
  expect(values("a")).toEqual(["192.0.2.1"]);
  expect(holds).toMatchObject([{ code: "KindGone" }]);
  expect(holds[0]?.message).toContain("no longer serves dnsentrys");
  await serve();
  expect(values("a")).toEqual([]);
});

test("Z-3 a kind that no marker names is empty while it is not served", async () => {
  const { values, holds } = await deletedWhileGone("ingress");
  expect([values("a"), holds]).toEqual([[], []]);
});

test.each([
  ["remove", false, []],
  ["transfer", false, ["192.0.2.1"]],
  ["transfer", true, ["192.0.2.9"]],
] as const)(
  "Z-22 a record whose kind is gone is an orphan: %s, wanted by another object: %s",
  async (is, isWanted, expected) => {
    const { values, engine, clock } = await deletedWhileGone("dnsentry");
    const name = trustedDnsName("a.example.org");
    if (isWanted) {
      const { found, object, ...rest } = entry("a", ["192.0.2.9"]);
      const other = { ...object, kind: "crd", name: "other" };
      const items = found.items.map((item) => ({ ...item, provenance: other }));
      engine.contribute(KEY, { ...rest, object: other, found: { ...found, items } });
      await clock.advance(5_000);
    }
    const [row] = (await engine.ownership(new Set([name])))[0]?.rows ?? [];
    expect(row?.orphan).toContain("no longer serves dnsentrys");
    expect(row?.becomes?.values).toEqual(isWanted ? ["192.0.2.9"] : undefined);
    const key = { name, type: "A", setIdentifier: null };
    engine.order(KEY, [{ key, order: { is, marker: row?.marker ?? "" } }]);
    await clock.advance(5_000);
    expect(values("a")).toEqual(expected);
  },
);
