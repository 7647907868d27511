/** One thing differs at a time: whatever the planner would act on or hold is uneven. */
import { describe, expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { MemorySession } from "../../../test/support/memory-provider/memory-session.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import { dataHash } from "../../ownership/data-hash.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import { AbsenceTracker } from "../absence/absence-tracker.ts";
import { AddressWaits } from "../absence/address-waits.ts";
import { NO_TENANCY } from "../contract/zone.ts";
import { type PlanInput, planOf } from "../zone/name-planner.ts";
import { ZoneTexts } from "./columns/zone-texts.ts";
import { DesiredIndex } from "./desired-index.ts";
import { ZoneComparison } from "./zone-comparison.ts";
import { ZoneState } from "./zone-state.ts";

const OBJECT = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
const FROM = "; from=service/default/web cluster=c1";
const owners = new Set(["me", "me2"]);
const m = (labels: string): string => `"heritage=external-dns,${labels}"`;
const ME = m("external-dns/owner=me,external-dns/resource=service/default/web");
const marked = (data: string, marker = ME): string => `${data}\na-www 300 TXT ${marker}`;
const A = "www 300 A 192.0.2.1";
const AAAA = "www 300 AAAA 2001:db8::1";
/** Of the data of `A`. */
const WEB_HASH = dataHash({
  name: nameOf("www"),
  type: "A",
  setIdentifier: null,
  values: ["192.0.2.1"],
  properties: {},
  routingPolicy: null,
});
const BOTH = `${marked(A)}\n${AAAA}\naaaa-www 300 TXT ${ME}`;

/** Both sides of the first name that is wanted, else of `www`, and the plan of it. */
async function compare(zone: string, desired: string, owner: string | null = null) {
  const clock = new VirtualClock();
  const texts = new ZoneTexts();
  const index = new DesiredIndex(texts);
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (one) => owners.has(one) });
  const state = new ZoneState({ apex: ORIGIN, ownership, owners, texts, clock });
  await state.load(parseZone(zone), new Set());
  const items = parseDesired(desired).map((item) => ({ ...item, owner }));
  const found = { items, waiting: [], problems: [], complete: true };
  if (items.length > 0) index.put({ object: OBJECT, generation: 1, deleting: false, found });
  const environment = { clock, dryRun: false };
  const session = new MemorySession({ zones: () => [], faults: NO_FAULTS, environment });
  const input: PlanInput = {
    zoneInput: {
      key: { account: "a", zone: ORIGIN },
      zone: { id: ORIGIN, name: ORIGIN, providerType: "memory", endpoint: "", view: "" },
      session,
      ownership,
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A", "AAAA", "TXT"]),
      defaultTtlSeconds: 300,
    },
    identity: { owners, mainOwner: "me", clusterRank: {} },
    index,
    absences: new AbsenceTracker({
      observer: fakeObserver("alive"),
      waits: new AddressWaits(clock, null),
      recordsAt: () => null,
      sightings: ALL_SEEN,
    }),
    state,
    tenancy: NO_TENANCY,
    elsewhere: { wants: () => false, inOtherZones: () => [] },
  };
  const comparison = new ZoneComparison({ index, state, texts });
  const name = items[0]?.name ?? nameOf("www");
  const isInSync = comparison.inSyncTest({ zoneInput: input.zoneInput, mainOwner: "me" })(name);
  const { changes, holds } = planOf(input, name);
  return { isInSync, hasWork: changes.length + holds.length > 0 };
}

describe("even", () => {
  test.each([
    ["as wanted", marked(A), A],
    ["any TTL where there is no wish", marked("www 60 A 192.0.2.1"), "www - A 192.0.2.1"],
    ["A and AAAA", BOTH, `${A}\n${AAAA}`],
    ["AAAA and A", BOTH, `${AAAA}\n${A}`],
    [
      "a marker that names the same cluster",
      marked(A, ME.replace("/owner", "/cluster=c1,external-dns/owner")),
      A,
    ],
    ["nothing on both sides", "", ""],
    ["somebody else's and not wanted", A, ""],
  ])("%s", async (_, zone, desired) => {
    const lines = desired.split("\n").map((line) => (line === "" ? "" : `${line} ${FROM}`));
    expect(await compare(zone, lines.join("\n"))).toEqual({ isInSync: true, hasWork: false });
  });
});

describe("uneven, and the planner has something to do or to hold", () => {
  test.each([
    ["other values", marked("www 300 A 192.0.2.9"), A],
    ["another TTL", marked("www 60 A 192.0.2.1"), A],
    ["no data", `a-www 300 TXT ${ME}`, A],
    ["no marker", A, A],
    ["another's marker", marked(A, ME.replace("=me,", "=you,")), A],
    ["another owner of ours", marked(A, ME.replace("=me,", "=me2,")), A],
    ["another object", marked(A, ME.replace("/web", "/api")), A],
    ["another cluster", marked(A, ME.replace("/owner", "/cluster=c2,external-dns/owner")), A],
    ["two owners", `${marked(A)}\n_owner.a.www 300 TXT ${ME.replace("=me,", "=you,")}`, A],
    ["a type that is not managed", `www 300 MX 1 mx\nmx-www 300 TXT ${ME}`, "www 300 MX 1 mx"],
    ["a delegation", `${marked(A)}\nwww 300 NS ns.example.com.`, A],
    ["one of two is gone", marked(A), `${A}\n${AAAA}`],
    ["the first of two is not wanted", BOTH, AAAA],
    ["the second of two is not wanted", BOTH, A],
    [
      "a delegation above",
      `sub 300 NS ns.example.com.\nx.sub 300 A 192.0.2.1\na-x.sub 300 TXT ${ME}`,
      "x.sub 300 A 192.0.2.1",
    ],
    [
      "a DNAME above",
      `sub 300 DNAME other.example.net.\nx.sub 300 A 192.0.2.1\na-x.sub 300 TXT ${ME}`,
      "x.sub 300 A 192.0.2.1",
    ],
    ["a DNAME at the apex", `${marked(A)}\n@ 300 DNAME other.example.net.`, A],
    ["the second one differs", BOTH, `${A}\nwww 300 AAAA 2001:db8::2`],
    ["not wanted and ours", marked(A), ""],
    [
      "not wanted and ours as well as another's",
      `${marked(A)}\n_owner.a.www 300 TXT ${ME.replace("=me,", "=you,")}`,
      "",
    ],
    [
      "a marker in the middle of a sequence",
      marked(
        A,
        ME.replace("/owner", `/data=+${WEB_HASH},external-dns/state=pending,external-dns/owner`),
      ),
      A,
    ],
    [
      "a second marker that names another object",
      `${marked(A)}\n_owner.a.www 300 TXT ${ME.replace("service", "ingress")}`,
      A,
    ],
    ["not there", "", A],
  ])("%s", async (_, zone, desired) => {
    const lines = desired.split("\n").map((line) => (line === "" ? "" : `${line} ${FROM}`));
    expect(await compare(zone, lines.join("\n"))).toEqual({ isInSync: false, hasWork: true });
  });

  test("an owner id that the object asks for", async () => {
    expect(await compare(marked(A), `${A} ${FROM}`, "me2")).toEqual({
      isInSync: false,
      hasWork: true,
    });
  });
});
