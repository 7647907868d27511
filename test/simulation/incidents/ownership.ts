/** Incidents of ownership: what was another's, or nobody's, was changed, taken or left behind. */
import { Violation } from "../checks.ts";
import type { Incident } from "./incident.ts";
import { SOON_MS, Stage } from "./stage.ts";

const WWW = ["www.example.org", "A"] as const;
const HAND = "198.51.100.1";
const ONE = "192.0.2.1";
const OTHERS = '"heritage=external-dns,external-dns/owner=other,external-dns/resource=service/x/y"';
const WANT = "src/plan/want.ts";
const RIGHTS = "src/plan/rights.ts";
const DRAFT = "src/ownership/txt/ownership.ts";
const LONG = `${"x".repeat(63)}.example.org`;

const DRIVER: Incident = {
  name: "foreign-records-2022",
  ids: ["D04"],
  title: "Infoblox: one update deleted every record that had been read, not only the owned ones",
  tell: async () => {
    const stage = new Stage();
    stage.byHand(WWW[0], WWW[1], [HAND]);
    stage.byHand("a-www.example.org", "TXT", [OTHERS]);
    stage.entry("e0", { dnsName: "api.example.org", targets: [ONE] });
    await stage.pass();
    stage.entry("e1", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.removeEntry("e1");
    stage.removeEntry("e0");
    await stage.pass();
    stage.expectShown("S1", WWW, [HAND]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D04 whose marker it is",
      file: RIGHTS,
      from: "return current.marker !== null && !current.contested && rules.owners.has(current.marker.owner);",
      to: "return current.marker !== null;",
      also: [
        {
          file: "src/sync/owned-index.ts",
          from: "return marker !== null && this.#owners.has(marker.owner);",
          to: "return marker !== null;",
        },
      ],
    },
  ],
};

const TAKEN: Incident = {
  name: "taken-over",
  ids: ["D09"],
  title:
    "a create failed because the record existed, its marker was written all the same, the next loop took it",
  tell: async () => {
    const stage = new Stage();
    stage.byHand(WWW[0], WWW[1], [HAND]);
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass(2 * SOON_MS);
    stage.expectShown("S1", WWW, [HAND]);
    stage.expectShown("S2", ["a-www.example.org", "TXT"], []);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D09 a foreign record bars its key",
      file: WANT,
      from: "const bar = barOnKey(wish, scene);",
      to: "const bar = null;",
    },
  ],
};

const TEXT: Incident = {
  name: "shared-text",
  ids: ["D08"],
  title: "removing an Ingress removed what a person had put into the same TXT record set",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    const marker = stage.shown("a-www.example.org", "TXT");
    stage.byHand("a-www.example.org", "TXT", [...marker, '"v=verify by hand"']);
    await stage.pass();
    stage.removeEntry("e0");
    await stage.pass(2 * SOON_MS);
    const left = stage.shown("a-www.example.org", "TXT");
    if (!left.includes('"v=verify by hand"'))
      throw new Violation("S13: the text that a person had added is gone");
    return stage.world.diary;
  },
  // No mutant of one or two clauses does it: three lines of defence keep their hands off such a record set.
  mutants: [],
};

const LONG_LABEL: Incident = {
  name: "long-label",
  ids: ["D17"],
  title:
    "the marker's label was over 63 bytes, so the record was created without one and could never go",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: LONG, targets: [ONE] });
    await stage.pass();
    stage.removeEntry("e0");
    await stage.pass();
    stage.expectShown("L4", [LONG, "A"], []);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D17 no data without its marker",
      file: DRAFT,
      from: "const markers = settled.flatMap((draft) => draft.writes);",
      to: 'const markers = settled.flatMap((draft) => draft.writes).filter(({ op }) => op !== "create");',
    },
  ],
};

const HALF: Incident = {
  name: "half-pairs",
  ids: ["D20"],
  title: "the record was deleted by hand and its marker stayed: the create failed for ever",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.byHand(WWW[0], WWW[1], null);
    await stage.pass(4 * SOON_MS);
    stage.expectShown("L5", WWW, [ONE]);
    stage.byHand(WWW[0], WWW[1], null);
    stage.removeEntry("e0");
    await stage.pass(4 * SOON_MS);
    stage.expectShown("S2", ["a-www.example.org", "TXT"], []);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D20 a marker without data is completed",
      file: WANT,
      from: "create(wish, current, rules)",
      to: "create(wish, null, rules)",
    },
  ],
};

const FORMATS: Incident = {
  name: "marker-formats",
  ids: ["D14"],
  title:
    "each change of the marker's format broke fleets: doubled markers, records that nobody owned any more",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    stage.entry("e1", { dnsName: "api.example.org", targets: [ONE] });
    await stage.pass();
    for (const layout of ["label", "typed"] as const) {
      const { ownWrites } = stage.world.auditor;
      stage.instance.kill();
      stage.instance.start({ layout });
      await stage.pass();
      if (stage.world.auditor.ownWrites !== ownWrites)
        throw new Violation(`S19: the form ${layout} alone made writes`);
    }
    stage.instance.kill();
    stage.instance.start({ layout: "label" });
    stage.removeEntry("e0");
    await stage.pass();
    stage.expectShown("L4", WWW, []);
    return stage.world.diary;
  },
  mutants: [],
};

const CHANGED: Incident = {
  name: "stale-marker-batch",
  ids: ["D15"],
  title:
    "a plan rested on a marker that was not there; the batch failed each time, and no change was possible",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.world.weather = {
      passage: () => "pass",
      read: () => [],
      apply: () => [{ kind: "foreign", write: () => moveAway(stage) }],
    };
    stage.entry("e0", { dnsName: WWW[0], targets: ["192.0.2.2"] });
    stage.entry("e1", { dnsName: "api.example.org", targets: [ONE] });
    await stage.pass(20_000);
    stage.expectShown("L1", ["api.example.org", "A"], [ONE]);
    return stage.world.diary;
  },
  mutants: [],
};

/** Somebody takes the marker, once. */
function moveAway(stage: Stage): void {
  if (stage.shown("a-www.example.org", "TXT")[0]?.includes("owner=sim") !== true) return;
  stage.byHand("a-www.example.org", "TXT", [OTHERS]);
}

/** Rights come from markers, and only for what they name. */
export const OWNERSHIP: readonly Incident[] = [
  DRIVER,
  TAKEN,
  TEXT,
  LONG_LABEL,
  HALF,
  FORMATS,
  CHANGED,
];
