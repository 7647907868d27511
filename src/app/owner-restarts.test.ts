/** Owner ids of DNSOwners and their fences over restarts (ADR 0050). */
import { describe, expect, test } from "vitest";
import { FakeTerm } from "../../test/support/ports/fake-term.ts";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import { DNS_ENTRY, DNS_OWNER } from "../model/kinds.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { fenceName } from "../sync/contract/fence-record.ts";
import type { WriterTerm } from "../sync/contract/writer-term.ts";

const API = "dns.gardener.cloud/v1alpha1";
const APEX = trustedDnsName("example.org");
const SHOP_FENCE = fenceName(APEX, "shop") ?? APEX;
const MAIN_FENCE = fenceName(APEX, "me") ?? APEX;
const DOMAIN = "uid-1/kube-system/zonekeeper";

/** `start` begins another term of one installation. */
function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = made;
  let epoch = 0;
  const start = (term?: WriterTerm) => {
    epoch += 1;
    const next = new FakeTerm(DOMAIN, epoch, `term-${epoch}`);
    return made.start(null, { fence: { term: term ?? next, record: true } });
  };
  const owner = (spec: object) =>
    cluster.apply(DNS_OWNER, {
      apiVersion: API,
      kind: "DNSOwner",
      metadata: { name: "shop" },
      spec,
    } as KubeObject);
  const entry = (target: string) => {
    const spec = { dnsName: "shop.example.org", targets: [target], ownerId: "shop" };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "shop", { spec }));
  };
  const statusOf = () => cluster.now(DNS_OWNER, "", "shop")?.["status"];
  const stateOf = () => cluster.now(DNS_ENTRY, "default", "shop")?.["status"];
  /** Whom the fence of the id `shop` names in the zone; null = there is none. */
  const holder = () => /domain=([^;"]+)/.exec(made.values(SHOP_FENCE).join())?.[1] ?? null;
  const rest = () => clock.advance(60_000);
  return { ...made, start, owner, entry, statusOf, stateOf, holder, rest };
}

type World = ReturnType<typeof world>;

const dnsActivation = { dnsName: "active.example.net", value: "here" };

describe("dnsActivation before a TXT record was looked up", () => {
  test("another ownerId, while the resolver fails, is not taken for what the former one was", async () => {
    const made = world();
    made.resolver.texts.set("active.example.net", ["here"]);
    made.owner({ ownerId: "shop", dnsActivation });
    made.entry("192.0.2.1");
    const first = made.start();
    await made.rest();
    await first.stop();
    made.resolver.mood = "fails";
    const second = made.start();
    await made.rest();
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
    made.resolver.texts.set("active.example.net", ["here"]);
    made.owner({ ownerId: "shop", dnsActivation });
    made.entry("192.0.2.1");
    const first = made.start();
    await made.rest();
    expect(made.stateOf()).toMatchObject({ state: "Ready" });
    expect(made.holder()).toBe(DOMAIN);
    await first.stop();
    made.resolver.mood = "fails";
    const second = made.start();
    await made.rest();
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
    made.owner({ ownerId: "shop" });
    made.entry("192.0.2.1");
    const first = made.start();
    await made.rest();
    await first.stop();
    // Somebody makes the DNSOwner anew: its status is empty.
    made.cluster.delete(DNS_OWNER, "", "shop");
    made.owner({ ownerId: "shop", dnsActivation });
    made.resolver.mood = "fails";
    const second = made.start();
    await made.rest();
    expect(made.statusOf()).toMatchObject({
      message: "off: the TXT record active.example.net of spec.dnsActivation was not read yet",
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
  /** `shop` is on and has its fence; what `change` does happens between two processes. */
  async function restarted(made: World, change: () => void, term?: WriterTerm) {
    made.owner({ ownerId: "shop" });
    made.entry("192.0.2.1");
    const first = made.start();
    await made.rest();
    expect(made.holder()).toBe(DOMAIN);
    await first.stop();
    change();
    const second = made.start(term);
    await made.rest();
    return second;
  }

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
    const second = await restarted(made, () => made.cluster.delete(DNS_OWNER, "", "shop"), term);
    expect(made.holder()).toBe(DOMAIN);
    await second.stop();
  });
});
