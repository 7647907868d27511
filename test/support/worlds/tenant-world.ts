/** An engine with one zone in memory, and objects of several namespaces (Z-26, Z-28). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";
import { NO_TENANCY, type ZoneTenancy } from "../../../src/sync/contract/zone.ts";
import { fakeObserver } from "../values/fake-observer.ts";
import { parseZone } from "../values/zone-text.ts";
import { APEX, engineWorld } from "./engine-world.ts";

/** The contribution of a DNSEntry of a namespace; `createdAtMs` decides who comes first. */
export function entryOf(namespace: string, given: Contribution, createdAtMs = 0): Contribution {
  const object = { ...given.object, namespace };
  const items = given.found.items.map((item) => ({ ...item, provenance: object, createdAtMs }));
  return { ...given, object, found: { ...given.found, items } };
}

/** A world whose zone takes all of these types; `says` is what its DNSProviders say. */
export async function tenantWorld(says: { tenancy: ZoneTenancy } = { tenancy: NO_TENANCY }) {
  let isGone = false;
  const world = engineWorld({
    observer: fakeObserver(() => (isGone ? "absent" : "alive")),
    engine: { tenancyOf: () => says.tenancy },
  });
  const managedTypes = new Set(["A", "AAAA", "CNAME", "TXT", "NS", "DS", "DNAME", "SRV", "TLSA"]);
  world.engine.openZone({ ...world.zoneInput, managedTypes });
  const settle = () => world.clock.advance(5_000);
  const typesAt = (name: string) =>
    world.content
      .at(trustedDnsName(`${name}.${APEX}`))
      .map(({ type }) => type)
      .sort();
  /** Last report on the object: `Ready`-like state or hold code for each name. */
  const last = (namespace: string) => {
    const report = world.reports.filter(({ object }) => object.namespace === namespace).at(-1);
    return report?.names.map(({ state, code }) => code ?? state) ?? [];
  };
  /** The message about its first name. */
  const message = (namespace: string) =>
    world.reports.filter(({ object }) => object.namespace === namespace).at(-1)?.names[0]?.message;
  /** Writes records as another client; found by the next poll. */
  const foreign = (text: string, isThere = true) =>
    world.content.write(parseZone(text).map((set) => ({ key: set, next: isThere ? set : null })));
  const poll = () => world.clock.advance(15_000);
  await settle();
  return { ...world, settle, foreign, poll, typesAt, last, message, gone: () => (isGone = true) };
}
