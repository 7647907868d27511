/** Z-24 for owner ids of DNSOwners: each meets the records of its id for itself (ADR 0050). */
import { expect, test } from "vitest";
import { ownerWorld } from "../../../test/support/worlds/owner-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

/** As another installation of the same cluster id left it: `a` has another value than wanted. */
const KEPT = ["a", "b"]
  .map(
    (name) =>
      `${name} 300 A 192.0.2.7\na-${name} 300 TXT "heritage=external-dns,external-dns/cluster=c1,external-dns/owner=shop,external-dns/resource=dnsentry/default/${name}"\n`,
  )
  .join("");

/** Entries are of the id `shop`. */
function world(zone = KEPT) {
  const made = ownerWorld(zone);
  const turn = (active: boolean) => made.owner("shop", { ownerId: "shop", active });
  const entry = (name: string, target: string) => made.entry(name, target, "shop");
  return { ...made, turn, entry, own: (target: string) => made.entry("own", target) };
}

type Running = ReturnType<ReturnType<typeof world>["start"]>;

const heldIn = (running: Running) => running.zones().flatMap(({ heldSets }) => heldSets);

test.each(["before", "an hour after"])(
  "Z-24 an id that is on %s the start waits with what differs, until it is approved",
  async (when) => {
    const { turn, entry, stateOf, rest, start, values, clock } = world();
    if (when === "before") turn(true);
    entry("a", "192.0.2.9");
    entry("b", "192.0.2.7");
    const running = start();
    await rest();
    if (when !== "before") await clock.advance(3_600_000);
    turn(true);
    await rest();
    expect(values("a.example.org")).toEqual(["192.0.2.7"]);
    expect(stateOf("a")).toMatchObject({ message: expect.stringContaining("for the first time") });
    expect(stateOf("b")).toMatchObject({ state: "Ready" });
    const [set, ...others] = heldIn(running);
    expect([set, others]).toMatchObject([{ kind: "first-contact", changes: 1, removals: 0 }, []]);
    // What is made here meanwhile, and what an object asks for since, is no finding of arrival.
    entry("new", "192.0.2.3");
    entry("b", "192.0.2.8");
    await rest();
    expect(values("new.example.org")).toEqual(["192.0.2.3"]);
    expect(values("b.example.org")).toEqual(["192.0.2.8"]);
    await running.approve(set?.hash ?? "");
    await rest();
    expect(values("a.example.org")).toEqual(["192.0.2.9"]);
    await running.stop();
  },
);

test("an id without records in the zone, or one that was on here before, is met already", async () => {
  const { turn, entry, rest, start, values } = world("");
  turn(true);
  entry("a", "192.0.2.1");
  const first = start();
  await rest();
  turn(false);
  await rest();
  entry("a", "192.0.2.2");
  await rest();
  expect(values("a.example.org")).toEqual(["192.0.2.1"]);
  await first.stop();
  const next = start();
  await rest();
  turn(true);
  await rest();
  expect([values("a.example.org"), heldIn(next)]).toEqual([["192.0.2.2"], []]);
  await next.stop();
});

test("the id of the group goes on while another id meets the zone", async () => {
  const { turn, entry, own, rest, start, values, cluster } = world();
  own("192.0.2.1");
  entry("a", "192.0.2.9");
  const running = start();
  await rest();
  turn(true);
  await rest();
  await running.stop();
  own("192.0.2.2");
  const next = start();
  await rest();
  expect(values("own.example.org")).toEqual(["192.0.2.2"]);
  expect(values("a.example.org")).toEqual(["192.0.2.7"]);
  cluster.delete(DNS_ENTRY, "default", "own");
  await rest();
  expect(values("own.example.org")).toEqual([]);
  expect(heldIn(next)).toMatchObject([{ kind: "first-contact", changes: 1 }]);
  await next.stop();
});
