/**
 * Clauses that whole stories miss once in thousands of seeds, each with the smallest world that
 * shows its loss. Throws at the first rule that is broken; no test framework, so that mutants can
 * be bundled.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { NamePlan } from "../../../src/plan/changes.ts";
import { planName } from "../../../src/plan/plan.ts";
import { confirmAbsences } from "../../../src/sync/absence/confirm-absences.ts";
import { LIKE_WEBHOOK } from "../../support/memory-provider/behaviour.ts";
import { type MemoryFaults, NO_FAULTS } from "../../support/memory-provider/faults.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { rulesWith } from "../../support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../support/values/zone-text.ts";
import { MARKER, MINUTE_MS, race, VALUES, WWW } from "../../support/worlds/race-world.ts";
import { ZoneModel } from "../../support/worlds/zone-model.ts";
import { demand } from "./demand.ts";

/** A live object is asked what it wants before what it was heard to leave out goes (ADR 0021). */
async function proveAsking(): Promise<void> {
  const name = trustedDnsName("www.example.org");
  const key = { name, type: "A", setIdentifier: null };
  const resource = "dnsentry/default/www";
  const marker = { owner: "me", resource, cluster: null, labels: {}, record: null };
  const change = {
    key,
    current: { ...key, data: null, marker, contested: false },
    ...{ desired: null, change: null, marker: null, proof: "object-omits-name" as const },
    reason: { code: "NotWanted", message: "" },
  } as const;
  const plan: NamePlan = { name, changes: [change], holds: [] };
  const live = { kindState: "live", state: "alive", generation: 1, found: null } as const;
  const absences = {
    observeNow: async () => [{ cluster: "c1", ...live }],
    isWithout: () => false,
    of: () => [{ cluster: null, resource, isDerived: false }],
  };
  const { held } = await confirmAbsences([plan], absences, new VirtualClock());
  demand(held.has(name), "a record goes that its living object wants");
}

/** A copy of a marker that names an object of before goes with the first one (Z-10). */
async function proveObsoleteMarker(): Promise<void> {
  const marker = (resource: string): string =>
    `"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=me,external-dns/resource=${resource}"`;
  const [wanted, name] = ["www 300 A 192.0.2.1", nameOf("www")];
  const kept = `a-www 300 TXT ${marker("service/default/web")}\n${wanted}`;
  const old = `_owner.a.www 300 TXT ${marker("dnsentry/default/old")}`;
  const zone = new ZoneModel(parseZone(`${kept}\n${old}`));
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me" });
  const sets = ownership.related(name).flatMap((one) => zone.at(one));
  const current = (await ownership.read(sets)).filter((one) => one.name === name);
  const plan = planName(name, parseDesired(wanted), current, rulesWith({}));
  const prepared = await ownership.prepare(plan, zone);
  demand(prepared.ok && zone.apply(prepared.group), "the names are as wanted, and are not written");
  demand(showZone(zone.all()) === kept, "a marker of an object that is gone stays");
}

/** Our first marker replaced another owner's, whose data is what we want, too (Z-27). */
async function proveEqualData(): Promise<void> {
  const world = await race(LIKE_WEBHOOK, () => Promise.resolve(), ["me"]);
  const rest = { ttlSeconds: 300, properties: {}, routingPolicy: null, setIdentifier: null };
  const pending =
    '"heritage=external-dns,external-dns/data=+0d67a9dd76e1f02f,external-dns/owner=you,external-dns/resource=service/default/web,external-dns/state=pending"';
  const sets = [
    { ...rest, name: WWW, type: "A", values: [VALUES.me] },
    { ...rest, name: MARKER, type: "TXT", values: [pending] },
  ];
  const write = (): void => world.content.write(sets.map((set) => ({ key: set, next: set })));
  let isFirst = true;
  const apply: MemoryFaults["apply"] = () => {
    const faults = isFirst ? [{ kind: "foreign" as const, write }] : [];
    isFirst = false;
    return faults;
  };
  world.account.breakWith({ ...NO_FAULTS, apply });
  world.claim("me");
  await world.clock.advance(20 * MINUTE_MS);
  demand(!isFirst && world.data().join() === VALUES.me, "another's data is changed");
  demand(world.markers().length === 0, "data that no call of ours wrote is taken for ours");
  await world.stop();
}

/** All of them. */
export async function proveKeptRules(): Promise<void> {
  await proveAsking();
  await proveObsoleteMarker();
  await proveEqualData();
}
