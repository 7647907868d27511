/** Incidents of writing: one bad record, old writes, endless writes, dry runs that were none. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { create, recordSet } from "../../conformance/provider-harness.ts";
import { CLASS_A, LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../../support/memory-provider/provider.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { Violation } from "../checks/checks.ts";
import type { Replacement } from "../mutants/mutant.ts";
import { CALM, type Weather } from "../world/world.ts";
import type { Incident } from "./incident.ts";
import { SOON_MS, Stage } from "./stage.ts";
import { supervised } from "./supervised.ts";

const WWW = ["www.example.org", "A"] as const;
const API = ["api.example.org", "A"] as const;
const [ONE, TWO, THREE] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;
const LATE_MS = 30_000;
/** More than once, and each time with everything to be listed. */
const CRASH_LOOP = /^S14: the process has ended ([2-9]|\d\d) times .* listed \d\d+ kinds again$/;

const POISON: Incident = {
  name: "one-bad-record-2022",
  ids: ["D33", "P13"],
  title:
    "one record that the provider refused stopped every change of the zone (51 sites stayed down)",
  tell: async () => {
    const stage = new Stage();
    stage.world.poisoned = WWW[0];
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    stage.entry("e1", { dnsName: API[0], targets: [ONE] });
    // Within the same call: what waits for its own back-off has waited for its neighbour.
    await stage.pass(700);
    stage.expectShown("S14", API, [ONE]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D33 a refused batch is split",
      clause: "refused-batch-is-split",
      to: 'if (first === "rejected") return false;',
    },
  ],
};

/** A write does not ask whether what was read still stands. */
const ASKS_NOTHING: Replacement = {
  clause: "loaded-records-are-preconditions",
  to: "const preconditions = [];",
};

/** The write also replaces all existing values, as an UPSERT does. */
const OVERWRITES: Replacement = {
  clause: "batch-keeps-other-values",
  to: "const values = [];",
};

/** Source text: the object in the marker is known to be gone. */
const goneText = (marked: string): string =>
  `["deleted-object", "found-deleting", "missing-from-list"].includes(absenceOf(rules, ${marked}).proof)`;

/** The same of any record at the name; in the story there is one. */
const ANY_GONE =
  '[...(rules.absences?.values() ?? [])].some(({ proof }) => ["deleted-object", "found-deleting", "missing-from-list"].includes(proof))';

const DYNAMODB: Incident = {
  name: "dynamodb-2025",
  ids: ["P01"],
  title:
    "a slow writer's old plan arrived after a newer one, and the clean-up then removed everything",
  tell: async () => {
    // One name a call, so that the old plan's call is about this name alone.
    const batch = { ...CLASS_A.batch, groupsMax: 1 };
    const stage = new Stage({ behaviours: [{ ...CLASS_A, batch }] });
    const { world } = stage;
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.entry("e1", { dnsName: WWW[0], targets: [TWO] });
    await stage.pass();
    world.weather = {
      ...CALM,
      passage: (what) => (what === "apply" ? "crash-after" : "pass"),
      apply: () => [{ kind: "late", delayMs: LATE_MS }],
    };
    // The old plan: the name moves on to the object that waits for it.
    stage.entry("e0", { dnsName: API[0], targets: [ONE] });
    await stage.pass(1_000);
    world.weather = CALM;
    stage.instance.start();
    // The newer one: a third object has it, and what the second had is for the clean-up.
    stage.entry("e2", { dnsName: WWW[0], targets: [THREE] });
    stage.removeEntry("e1");
    await stage.pass(LATE_MS / 2);
    stage.expectShown("L1", WWW, [THREE]);
    const shown = new Set<string>();
    const stop = stage.onShown(WWW, (values) => shown.add(values.join()));
    await stage.pass(2 * LATE_MS);
    stop();
    if (shown.has("")) throw new Violation(`S7: the clean-up removed ${WWW.join(" ")}`);
    if ([...shown].some((values) => values !== THREE))
      throw new Violation(`S6: ${WWW.join(" ")} showed ${[...shown].join(", then ")}`);
    stage.expectShown("L1", WWW, [THREE]);
    return world.diary;
  },
  mutants: [
    {
      drops: "P01 writes restate what was read",
      ends: /^S6: /,
      ...ASKS_NOTHING,
      also: [OVERWRITES],
    },
    {
      drops: "P01 writes restate what was read, and the clean-up leaves what a living object lists",
      ends: /^S7: the clean-up removed/,
      ...ASKS_NOTHING,
      also: [
        OVERWRITES,
        {
          clause: "winner-desires-the-record",
          to: `!${goneText("one")} && $&`,
        },
        {
          clause: "release-on-request",
          to: `if (${ANY_GONE}) return null;`,
        },
      ],
    },
  ],
};

const ENDLESS: Incident = {
  name: "endless-updates",
  ids: ["D35"],
  title:
    "the provider normalised the TTL, the difference was never empty, and each loop wrote again",
  tell: async () => {
    const ttl = { minSeconds: 120, maxSeconds: 240 };
    const stage = new Stage({ behaviours: [{ ...LIKE_RFC2136, ttl }] });
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE], ttl: 600 });
    stage.entry("e1", { dnsName: API[0], text: ["text "] });
    await stage.pass();
    const { ownWrites } = stage.world.auditor;
    stage.instance.kill();
    stage.instance.start();
    await stage.pass(4 * SOON_MS);
    if (stage.world.auditor.ownWrites !== ownWrites)
      throw new Violation("L2: the zone is written again and again");
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D35 wishes are compared as the provider will store them",
      clause: "desired-data-is-normalized",
      to: "const read = data;",
      also: [
        {
          clause: "compared-data-is-normalized",
          to: "const read: RecordSet = data;",
        },
      ],
    },
  ],
};

/** A provider that refuses aliases, and nothing else. */
const REFUSES_ALIASES: Weather = {
  ...CALM,
  apply: () => [
    {
      kind: "rejects",
      code: "Refused",
      matches: ({ changes }) =>
        changes.some((change) => change.op === "create" && change.next.type === "CNAME"),
    },
  ],
};

const GAP: Incident = {
  name: "type-change-gap",
  ids: ["D36"],
  title: "the create of the new type failed, the delete of the old one did not: the name was gone",
  tell: async () => {
    const stage = new Stage({ behaviours: [{ ...CLASS_A, conflicts: "rfc2136" }] });
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.world.weather = REFUSES_ALIASES;
    stage.entry("e0", { dnsName: WWW[0], targets: ["target.example.net"] });
    await stage.pass();
    stage.expectShown("S7", WWW, [ONE]);
    stage.world.weather = CALM;
    await stage.pass(2 * SOON_MS);
    stage.expectShown("L1", [WWW[0], "CNAME"], ["target.example.net"]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D36 the old type goes in one call with the new one",
      ends: /^S7: www\.example\.org \d+ A \S+ is gone, and nothing is there in its place/,
      clause: "type-change-is-one-call",
      to: 'changes.filter(({ reason }, _, all) => reason.code === "TypeChanged" || all.every((one) => one.reason.code !== "TypeChanged"))',
    },
  ],
};

/** A driver that knows of the dry run refuses whatever reaches it. */
async function driverRefuses(): Promise<void> {
  const account = new MemoryAccount();
  const name = trustedDnsName("example.org");
  const { content, zone } = account.addZone({ name, behaviour: CLASS_A });
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: { apply: () => [], read: () => [] },
    environment: { clock: new VirtualClock(), dryRun: true },
  });
  const set = recordSet("dry.example.org", "A", ONE);
  try {
    for await (const _ of session.apply(zone, [create(set)], new AbortController().signal));
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "DryRun") throw error;
  }
  if (content.at(set.name).length > 0) throw new Violation("S10: the driver wrote in a dry run");
}

const DRY: Incident = {
  name: "dry-run-that-wrote",
  ids: ["D47"],
  title: "drivers ignored the dry run and wrote",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.instance.kill();
    stage.instance.start({ dryRun: true });
    stage.entry("e0", { dnsName: WWW[0], targets: [TWO] });
    stage.entry("e1", { dnsName: API[0], targets: [ONE] });
    await stage.pass();
    stage.expectShown("S10", WWW, [ONE]);
    await driverRefuses();
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D47 the engine sends nothing and tells the driver",
      clause: "engine-knows-dry-run",
      to: "false",
    },
    {
      drops: "D47 the transport refuses",
      clause: "transport-refuses-dry-run",
    },
  ],
};

/** The provider's failures, one after the other, for so long each. */
const FAILING_MS = 2 * SOON_MS;

const EXITS: Incident = {
  name: "provider-error-2023",
  ids: ["D34"],
  title: "any error of a provider ended the process, and each restart listed everything again",
  tell: async () => {
    const stage = new Stage();
    const { world } = stage;
    const { ends, lists } = await supervised(stage, async () => {
      stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
      await stage.pass();
      // A record that the provider refuses, as with the wrong proxied target.
      world.poisoned = API[0];
      stage.entry("e1", { dnsName: API[0], targets: [ONE] });
      await stage.pass(FAILING_MS);
      world.poisoned = null;
      // Credentials that it refuses, calls that it refuses, reads that fail.
      for (const trouble of ["denied", "blackout"] as const) {
        world.account("sim").begin(trouble, FAILING_MS);
        await stage.pass(FAILING_MS);
      }
      world.weather = { ...CALM, read: () => [{ kind: "down" }] };
      stage.entry("e0", { dnsName: WWW[0], targets: [TWO] });
      await stage.pass(FAILING_MS);
      world.weather = CALM;
      await stage.pass(2 * FAILING_MS);
    });
    if (ends.length > 0)
      throw new Violation(
        `S14: the process has ended ${ends.length} times (${ends[0]}), and what it starts with listed ${lists} kinds again`,
      );
    stage.expectShown("L1", WWW, [TWO]);
    stage.expectShown("L1", API, [ONE]);
    return world.diary;
  },
  mutants: [
    {
      drops: "D34 what a provider answers ends nothing",
      ends: CRASH_LOOP,
      clause: "provider-failure-ends-nothing",
      to: "throw error;",
    },
    {
      drops: "D34 a record that the provider refuses ends nothing",
      ends: CRASH_LOOP,
      clause: "refused-record-ends-nothing",
      to: "throw new Error(outcome.message);",
    },
  ],
};

/** Every write rests on what was read, and one name's trouble is its own. */
export const WRITING: readonly Incident[] = [POISON, DYNAMODB, ENDLESS, GAP, DRY, EXITS];
