/**
 * Records move from one control plane to another by a DNSOwner that is switched off in one and on
 * in the other (ADR 0050): in either order, before the entries arrive, and with kills of both in
 * between. All names answer all the time, and only markers and fences are written.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ASKS_EVERY_MS = 5;
const LABELS = Array.from({ length: 100 }, (_, index) => `shop${index}`);

interface Side {
  readonly session: RunSession;
  readonly instance: RunInstance;
}

function addressOf(label: string): string {
  return `192.0.2.${Number(label.slice(4)) + 1}`;
}

describeOnBoth("a migration by a DNSOwner", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let before: readonly string[] = [];
  const sides: Side[] = [];
  const misses: string[] = [];
  let isAsking = true;
  let asked = 0;
  let asking: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
  });
  afterAll(async () => {
    isAsking = false;
    await asking;
    await Promise.all(sides.map(({ session }) => session.close()));
    await zone?.server.stop();
  });

  const open = async (owner: string): Promise<Side> => {
    const session = await server.open();
    await session.user.apply(account("net", zone.server));
    const side = { session, instance: await session.run(owner) };
    sides.push(side);
    return side;
  };
  const side = (index: number): Side => {
    const found = sides[index];
    if (found === undefined) throw new Error("not started");
    return found;
  };
  const turn = ({ session }: Side, active: boolean): Promise<string> =>
    session.user.apply(
      object("DNSOwner", "shop", {
        metadata: { namespace: undefined },
        spec: { ownerId: "shop", active },
      }),
    );
  const entries = together(
    ...LABELS.map((label) =>
      entry(label, `${label}.example.net`, { targets: [addressOf(label)], ownerId: "shop" }),
    ),
  );
  const allAre = (one: Side, state: string): Promise<unknown> =>
    eventually(
      `all entries are ${state}`,
      async () => {
        const list = (await one.session.user.kubectl.json(["get", "dnse"])) as {
          readonly items: readonly { readonly status?: { readonly state?: string } }[];
        };
        return list.items.map(({ status }) => status?.state ?? "");
      },
      (states) => states.length === LABELS.length && states.every((each) => each === state),
    );
  const ownerSays = ({ session }: Side, pattern: RegExp): Promise<unknown> =>
    eventually(
      `the DNSOwner says ${pattern}`,
      async () => String((await session.user.status("dnso", "shop")).message),
      (message) => pattern.test(message),
    );
  const waits = async (one: Side): Promise<string> => {
    await ownerSays(one, /^waits in example\.net: .* has the owner id in this zone/);
    await one.session.user.reported("DNSOwner", "shop", /^HeldBy: waits in example\.net/);
    return one.session.user.becomes("dnse", "shop0", "Pending", /has the owner id in this zone/);
  };
  /** Records of users, with their values and TTLs. */
  const data = async (): Promise<readonly string[]> =>
    (await zone.content()).filter((line) => /^shop\d+\./.test(line)).sort();
  const clusterOfMarkers = async (): Promise<readonly string[]> => {
    const markers = (await zone.content()).filter((line) => /external-dns\/owner=shop/.test(line));
    expect(markers).toHaveLength(LABELS.length);
    return [
      ...new Set(markers.map((line) => /external-dns\/cluster=([^,"]+)/.exec(line)?.[1] ?? "")),
    ];
  };
  /** The control plane edits a record: it has the id, and the value goes back. */
  const publishes = async ({ session }: Side): Promise<void> => {
    await session.user.apply(
      entry("extra", "extra.example.net", { targets: ["192.0.2.199"], ownerId: "shop" }),
    );
    await zone.becomes("extra", "A", "192.0.2.199");
    await session.user.delete("dnse", "extra");
    await zone.becomes("extra", "A");
  };
  const nothingWasLost = async (): Promise<void> => {
    await eventually(
      "every name was asked for",
      async () => asked,
      (times) => times >= LABELS.length,
    );
    expect(misses).toEqual([]);
    expect(await data()).toEqual(before);
    asked = 0;
  };

  test("the first one publishes under the id", async () => {
    const first = await open("first");
    await turn(first, true);
    await first.session.user.apply(entries);
    await allAre(first, "Ready");
    before = await data();
    expect(before).toHaveLength(LABELS.length);
    asking = (async () => {
      for (let at = 0; isAsking; at += 1) {
        const label = LABELS[at % LABELS.length] ?? "";
        const answers = await zone.answers(label);
        asked += 1;
        if (answers.join() !== addressOf(label)) misses.push(`${label}: ${answers.join()}`);
        await sleep(ASKS_EVERY_MS);
      }
    })();
  });

  test("off in the first one, then on in the second one", async () => {
    const second = await open("second");
    await second.session.user.apply(entries);
    await allAre(second, "Stale");
    await turn(side(0), false);
    await allAre(side(0), "Stale");
    const [from] = await clusterOfMarkers();
    await turn(second, true);
    await allAre(second, "Ready");
    expect(await clusterOfMarkers()).not.toContain(from);
    await publishes(second);
    await nothingWasLost();
  });

  test("on in the first one, which waits and writes nothing, then off in the second one", async () => {
    const serial = await zone.serial();
    await turn(side(0), true);
    await waits(side(0));
    expect(await zone.serial()).toBe(serial);
    await turn(side(1), false);
    await allAre(side(0), "Ready");
    await ownerSays(side(0), /^$/);
    await allAre(side(1), "Stale");
    await publishes(side(0));
    await nothingWasLost();
  });

  test("on in a third one before its entries arrive", async () => {
    const third = await open("third");
    await turn(third, true);
    await turn(side(0), false);
    await allAre(side(0), "Stale");
    await eventually(
      "the records are orphans",
      () => third.instance.cli("ownership", "orphans"),
      (result) => LABELS.every((label) => result.stdout.includes(`${label}.example.net`)),
    );
    expect(await data()).toEqual(before);
    await third.session.user.apply(entries);
    await allAre(third, "Ready");
    await publishes(third);
    await nothingWasLost();
  });

  test("off while the third one is killed, and the one that waits, too: both come back", async () => {
    await side(2).instance.kill9();
    await turn(side(2), false);
    await turn(side(1), true);
    await waits(side(1));
    await side(1).instance.kill9();
    await Promise.all([side(1), side(2)].map(({ instance }) => instance.restart()));
    await allAre(side(1), "Ready");
    await publishes(side(1));
    await nothingWasLost();
  });

  test("the one that takes is killed while it does", async () => {
    const [taker, holder] = [side(0), side(1)];
    await turn(taker, true);
    await waits(taker);
    const [from = ""] = await clusterOfMarkers();
    await turn(holder, false);
    await eventually("it has begun to take", clusterOfMarkers, (clusters) =>
      clusters.some((cluster) => cluster !== from),
    );
    await taker.instance.kill9();
    await taker.instance.restart();
    await allAre(taker, "Ready");
    expect(await clusterOfMarkers()).not.toContain(from);
    await publishes(taker);
    await nothingWasLost();
  });

  test("a holder that is gone for good: owner take", async () => {
    await side(0).instance.kill9();
    await turn(side(1), true);
    const [, from = ""] = /owner take --from (\S+)/.exec(await waits(side(1))) ?? [];
    expect((await side(1).instance.cli("owner", "take", "--from", from, "--yes")).code).toBe(0);
    await allAre(side(1), "Ready");
    await publishes(side(1));
    await nothingWasLost();
  });
});
