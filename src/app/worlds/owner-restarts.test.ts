/** Owner ids of DNSOwners and their fences over restarts (ADR 0050). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { FakeTerm } from "../../../test/support/ports/fake-term.ts";
import { ownerWorld } from "../../../test/support/worlds/owner-world.ts";
import { DNS_OWNER } from "../../model/kinds.ts";
import { fenceName } from "../../sync/contract/fence-record.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";

const APEX = trustedDnsName("example.org");
const SHOP_FENCE = fenceName(APEX, "shop") ?? APEX;
const MAIN_FENCE = fenceName(APEX, "me") ?? APEX;
const DOMAIN = "uid-1/kube-system/zonekeeper";

/** One DNSOwner and one entry `shop`; `start` begins another term of one installation. */
function world() {
  const made = ownerWorld();
  let epoch = 0;
  const start = (term?: WriterTerm) => {
    epoch += 1;
    const next = new FakeTerm(DOMAIN, epoch, `term-${epoch}`);
    return made.start(null, { fence: { term: term ?? next, record: true } });
  };
  /** Whom the fence of the id `shop` names in the zone; null = there is none. */
  const holder = () => /domain=([^;"]+)/.exec(made.values(SHOP_FENCE).join())?.[1] ?? null;
  return {
    ...made,
    ...{ start, holder, owner: (spec: object) => made.owner("shop", spec) },
    entry: (target: string) => made.entry("shop", target, "shop"),
    statusOf: () => made.statusOf("shop"),
    stateOf: () => made.stateOf("shop"),
  };
}

type World = ReturnType<typeof world>;

/** `shop` is on and has its fence; what `change` does happens between two processes. */
async function restarted(made: World, change: () => void, { term, ...spec }: Restart = {}) {
  made.owner({ ownerId: "shop", ...spec });
  made.entry("192.0.2.1");
  const first = made.start();
  await made.rest();
  expect(made.holder()).toBe(DOMAIN);
  expect(made.stateOf()).toMatchObject({ state: "Ready" });
  await first.stop();
  change();
  const second = made.start(term);
  await made.rest();
  return second;
}

interface Restart {
  /** Of the second process. */
  readonly term?: WriterTerm;
  readonly dnsActivation?: object;
}

const dnsActivation = { dnsName: "active.example.net", value: "here" };

describe("dnsActivation before a TXT record was looked up", () => {
  /** The record switched the id on before the restart. */
  const withoutResolver = (made: World) => {
    made.resolver.texts.set("active.example.net", ["here"]);
    const fails = () => {
      made.resolver.mood = "fails";
    };
    return restarted(made, fails, { dnsActivation });
  };

  test("another ownerId, while the resolver fails, is not taken for what the former one was", async () => {
    const made = world();
    const second = await withoutResolver(made);
    expect(made.stateOf()).toMatchObject({ state: "Ready" });
    const fenceOf = (id: string) => made.values(fenceName(APEX, id) ?? APEX).length;
    made.owner({ ownerId: "other", dnsActivation });
    await made.rest();
    await made.rest();
    // It is neither taken nor given up; no DNSOwner asks for the former one, whose record stays.
    expect(fenceOf("other")).toBe(0);
    expect(made.statusOf()).toMatchObject({ message: expect.stringContaining("not read yet") });
    expect(made.stateOf()).toMatchObject({ state: "Stale" });
    expect(made.values("shop.example.org")).toEqual(["192.0.2.1"]);
    // Back again: it is not known either, and the record stays.
    made.owner({ ownerId: "shop", dnsActivation });
    await made.rest();
    expect(made.values("shop.example.org")).toEqual(["192.0.2.1"]);
    made.resolver.mood = "answers";
    await made.rest();
    await made.rest();
    expect(made.stateOf()).toMatchObject({ state: "Ready" });
    made.entry("192.0.2.2");
    await made.rest();
    expect(made.values("shop.example.org")).toEqual(["192.0.2.2"]);
    expect(made.holder()).toBe(DOMAIN);
    await second.stop();
  });

  test("a restart with a resolver that fails keeps the id and its fence, until it has answered", async () => {
    const made = world();
    const second = await withoutResolver(made);
    await made.rest();
    expect(made.stateOf()).toMatchObject({ state: "Ready" });
    expect(made.statusOf()).toMatchObject({ active: true });
    expect(made.holder()).toBe(DOMAIN);
    made.resolver.mood = "answers";
    made.resolver.texts.set("active.example.net", ["there"]);
    await made.rest();
    expect(made.statusOf()).toMatchObject({ active: false });
    expect(made.holder()).toBeNull();
    await second.stop();
  });

  test("without an answer of a former process the id is not had, and nothing is given up", async () => {
    const made = world();
    const second = await restarted(made, () => {
      // Somebody makes the DNSOwner anew: its status is empty.
      made.cluster.delete(DNS_OWNER, "", "shop");
      made.owner({ ownerId: "shop", dnsActivation });
      made.resolver.mood = "fails";
    });
    expect(made.statusOf()).toMatchObject({
      message: expect.stringMatching(/^off: .* was not read yet: .*SERVFAIL/),
    });
    expect(made.stateOf()).toMatchObject({ state: "Stale" });
    expect(made.holder()).toBe(DOMAIN);
    await second.stop();
    // Neither is it after a further restart.
    const third = made.start();
    await made.rest();
    expect(made.holder()).toBe(DOMAIN);
    made.resolver.mood = "answers";
    await made.rest();
    expect(made.statusOf()).toMatchObject({ active: false });
    expect(made.holder()).toBeNull();
    await third.stop();
  });
});

describe("a DNSOwner that goes while the program is down", () => {
  test.each<[string, (made: World) => void]>([
    ["is deleted", ({ cluster }) => cluster.delete(DNS_OWNER, "", "shop")],
    ["gets another id", ({ owner }) => owner({ ownerId: "else" })],
  ])("when it %s, the fence goes and the record stays", async (_, change) => {
    const made = world();
    const second = await restarted(made, () => change(made));
    expect(made.holder()).toBeNull();
    expect(made.values("shop.example.org")).toEqual(["192.0.2.1"]);
    // The id of --owner is as it was.
    expect(made.values(MAIN_FENCE).join()).toContain(DOMAIN);
    await second.stop();
  });

  test.each(["syncing", "forbidden", "absent"] as const)(
    "while DNSOwners are %s the fence stays",
    async (state) => {
      const made = world();
      const second = await restarted(made, () => {
        made.cluster.delete(DNS_OWNER, "", "shop");
        made.cluster.setKindState(DNS_OWNER, state);
      });
      expect(made.holder()).toBe(DOMAIN);
      made.cluster.relist(DNS_OWNER);
      await made.rest();
      expect(made.holder()).toBeNull();
      await second.stop();
    },
  );

  test.each([
    ["of another installation", new FakeTerm("uid-2/kube-system/zonekeeper", 1, "other")],
    ["of a domain whose processes cannot be told apart", new FakeTerm(DOMAIN, 1)],
  ])("a fence %s stays", async (_, term) => {
    const made = world();
    const second = await restarted(made, () => made.cluster.delete(DNS_OWNER, "", "shop"), {
      term,
    });
    expect(made.holder()).toBe(DOMAIN);
    await second.stop();
  });
});
