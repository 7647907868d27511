/**
 * Zones with records of our owner id that somebody else wrote, or an earlier process of ours: only
 * what was seen can be seen to be gone (Z-22, Z-23).
 */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import {
  objectOf,
  type ProgramOptions,
  programWorld,
} from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { Composition } from "../compose/compose.ts";

/** As `kube-system` has it: no other cluster has the same. */
const UID = "0b5c3f0e-6a3f-4b55-9d0c-3f8a2c1d7e11";
const ADDRESS = "192.0.2.1";
const NAMES = "dns.gardener.cloud/dnsnames";
const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";
/** So many that the fuse lets a few others pass. */
const MANY = Array.from({ length: 30 }, (_, index) => `many${index}`);

/** A record and its marker as external-dns writes them, with owner id `me`. */
function kept(name: string, resource: string, cluster = ""): string {
  const labels = [
    "heritage=external-dns",
    ...(cluster === "" ? [] : [`external-dns/cluster=${cluster}`]),
    "external-dns/owner=me",
    `external-dns/resource=${resource}`,
  ];
  return `${name} 300 A ${ADDRESS}\na-${name} 300 TXT "${labels.join(",")}"\n`;
}

function world(options: ProgramOptions = {}) {
  const made = programWorld(options);
  const { cluster, clock } = made;
  const service = (name: string, annotations: Readonly<Record<string, string>> = {}) => {
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata: { annotations }, spec }));
    cluster.setStatus(SERVICE, "default", name, { loadBalancer: { ingress: [{ ip: ADDRESS }] } });
  };
  /** A Service that lists its own name. */
  const listing = (name: string) => service(name, { [NAMES]: `${name}.example.org` });
  /** A Service with the DNSEntry that was made from it. */
  const forget = (name: string) => {
    cluster.delete(SERVICE, "default", name);
    for (const { metadata } of cluster.all(DNS_ENTRY)) {
      if (!metadata.name.startsWith(`${name}-service`)) continue;
      const api = "dns.gardener.cloud/v1alpha1";
      const bare = { metadata: { ...metadata, finalizers: [], ownerReferences: [] } };
      cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", metadata.name, bare));
      cluster.delete(DNS_ENTRY, "default", metadata.name);
    }
  };
  /** A process until it has nothing left to do; a person approves what the fuse holds. */
  const begin = async () => {
    const running = made.start();
    await settle(running);
    return running;
  };
  const settle = async (running: Composition, waitMs = 60_000) => {
    await clock.advance(waitMs);
    for (const { heldSets } of running.zones())
      for (const { hash } of heldSets) await running.approve(hash);
    await clock.advance(60_000);
  };
  const run = async () => (await begin()).stop();
  const names = () =>
    made
      .zone()
      .match(/^\S+ \d+ A/gm)
      ?.map((line) => line.split(" ")[0]) ?? [];
  const records = () => made.zone().replace(/^@.*$/gm, "");
  return { ...made, service, listing, forget, begin, settle, run, names, records };
}

describe("Z-22 a zone that external-dns kept with our owner id", () => {
  const zone = [
    ...MANY.map((name) => kept(name, `service/default/${name}`)),
    kept("other", "service/default/other"),
    kept("forgotten", "service/default/forgotten"),
    kept("rule", "ingress/default/rule"),
    kept("gone", "service/default/gone"),
    kept("point", "crd/default/point"),
  ].join("");

  function moved(options: ProgramOptions = {}) {
    const made = world({ ...options, zone });
    for (const name of MANY) made.listing(name);
    made.service("other", { [HOSTNAME]: "other.example.org" });
    made.service("forgotten");
    const spec = { rules: [{ host: "rule.example.org" }] };
    made.cluster.apply(INGRESS, objectOf("networking.k8s.io/v1", "Ingress", "rule", { spec }));
    return made;
  }

  test("is taken over without a change, and at the next start too", async () => {
    const { run, records } = moved();
    const before = records();
    await run();
    expect(records()).toBe(before);
    await run();
    expect(records()).toBe(before);
  });

  test("says of each record that stays why, and what to do", async () => {
    const { begin } = moved();
    const running = await begin();
    const open = running.zones()[0]?.open ?? [];
    const holds = Object.fromEntries(
      open.map(({ name, holds: [hold] }) => [name.split(".")[0], hold?.code]),
    );
    const orphans = { other: "Orphan", forgotten: "Orphan", rule: "Orphan", gone: "Orphan" };
    expect(holds).toEqual({ ...orphans, point: "KindGone" });
    expect(open.flatMap((one) => one.holds)[0]?.message).toMatch(/zonekeeper ownership orphans/);
  });

  test("what is known of each orphan is shown", async () => {
    const { begin } = moved();
    const running = await begin();
    const rows = (await running.rights(null)).flatMap((one) => one.rows);
    const known = rows.flatMap(({ name, orphan }) =>
      orphan === undefined ? [] : [[name, orphan]],
    );
    expect(Object.fromEntries(known)).toEqual({
      "other.example.org": expect.stringMatching(`exists here and names it in .*${HOSTNAME}`),
      "rule.example.org": expect.stringMatching(/exists here and names it in spec.rules/),
      "forgotten.example.org": "orphan: the object exists here and does not name it",
      "gone.example.org": "orphan: no such object exists here",
      "point.example.org": expect.stringMatching(/^orphan: .*no cluster watches its kind/),
    });
  });

  test("a person approves one: it goes with its marker, past the fuse, and no other goes", async () => {
    const { begin, clock, names, records } = moved();
    const running = await begin();
    const before = records();
    const approve = async (...approved: readonly string[]) => {
      for (const { key, rows } of await running.rights(null)) {
        const chosen = rows.filter(({ name }) => approved.includes(name.split(".")[0] ?? ""));
        const orders = chosen.map(({ name, type, setIdentifier, marker }) => ({
          key: { name, type, setIdentifier },
          order: { is: "remove", marker: marker ?? "" } as const,
        }));
        running.order(key, orders);
      }
      await clock.advance(5_000);
    };
    await approve("many0");
    expect(records()).toBe(before);
    await approve("gone", "other", "rule", "forgotten", "point");
    expect(names()).toEqual([...MANY].sort());
    expect(records()).not.toMatch(/^a-(?:gone|other|rule|forgotten|point) /m);
  });

  test("another object that wants an orphan's name waits for a person, and then has it without a gap", async () => {
    const { begin, settle, cluster, records } = moved();
    const running = await begin();
    const api = "dns.gardener.cloud/v1alpha1";
    const spec = { dnsName: "gone.example.org", targets: ["192.0.2.9"] };
    cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", "e", { spec }));
    await settle(running);
    expect(records()).toContain(`gone 300 A ${ADDRESS}`);
    const [zoneRights] = await running.rights(new Set([nameOf("gone")]));
    const row = zoneRights?.rows[0];
    expect(row?.orphan).toContain("no such object");
    const order = { is: "remove", marker: row?.marker ?? "" } as const;
    const key = { name: nameOf("gone"), type: "A", setIdentifier: null };
    if (zoneRights !== undefined) running.order(zoneRights.key, [{ key, order }]);
    await settle(running, 20_000);
    expect(records()).toContain("gone 300 A 192.0.2.9");
    expect(records()).toMatch(/^a-gone .*resource=dnsentry\/default\/e/m);
  });

  test("an object that was listed here no longer lists its name, and the record goes", async () => {
    const { begin, settle, service, cluster, names } = moved();
    const running = await begin();
    service("many0", { [HOSTNAME]: "many0.example.org" });
    cluster.delete(SERVICE, "default", "many1");
    await settle(running);
    expect(names()).not.toContain("many0");
    expect(names()).not.toContain("many1");
    expect(names()).toContain("other");
  });

  test("Z-23 what was listed here and went while no process ran is removed at the next start", async () => {
    const { run, service, forget, names } = moved();
    await run();
    forget("many0");
    service("many1");
    forget("gone");
    await run();
    expect(names()).not.toContain("many0");
    expect(names()).not.toContain("many1");
    expect(names()).toContain("many2");
    expect(names()).toContain("gone");
  });

  test("an object that begins to list the name has the record from then on", async () => {
    const { begin, settle, listing, cluster, names } = moved();
    const running = await begin();
    listing("other");
    await settle(running);
    cluster.delete(SERVICE, "default", "other");
    await settle(running);
    expect(names()).not.toContain("other");
  });
});

describe("Z-22 the owner id of another cluster", () => {
  const zone = MANY.map((name) => kept(name, `service/default/${name}`)).join("");

  test("its records stay, whether a namesake of their objects is here or not", async () => {
    const { run, listing, service, records } = world({ zone });
    const before = records();
    listing("mine");
    service("many0");
    await run();
    for (const line of before.trim().split("\n")) expect(records()).toContain(line);
  });

  test("a cluster id that a person chose shows nothing: two clusters may have the same", async () => {
    const chosen = MANY.map((name) => kept(name, `service/default/${name}`, "prod")).join("");
    const { run, records } = world({ zone: chosen, clusterId: "prod" });
    const before = records();
    await run();
    expect(records()).toBe(before);
  });

  test("a UID in a marker shows that its object was here: it is removed as soon as that is gone", async () => {
    const both = `${zone}${kept("gone", "service/default/gone", UID)}`;
    const { run, names } = world({ zone: both, clusterId: UID });
    await run();
    expect(names()).not.toContain("gone");
    expect(names()).toHaveLength(MANY.length);
  });
});
