/** Owner ids of DNSOwners and their fences over restarts (ADR 0050). */
import { describe, expect, test } from "vitest";
import { FakeTerm } from "../../test/support/ports/fake-term.ts";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import { DNS_ENTRY, DNS_OWNER } from "../model/kinds.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { fenceName } from "../sync/contract/fence-record.ts";

const API = "dns.gardener.cloud/v1alpha1";
const SHOP_FENCE = fenceName(trustedDnsName("example.org"), "shop") ?? "";
const DOMAIN = "uid-1/kube-system/zonekeeper";

/** `start` begins another term of one installation. */
function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = made;
  let epoch = 0;
  const start = () => {
    epoch += 1;
    return made.start(null, {
      fence: { term: new FakeTerm(DOMAIN, epoch, `term-${epoch}`), record: true },
    });
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

const dnsActivation = { dnsName: "active.example.net", value: "here" };

describe("dnsActivation before a TXT record was looked up", () => {
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
