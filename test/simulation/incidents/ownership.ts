/**
 * Incidents of ownership: a record of another owner, or of none, was changed, taken or left behind.
 */
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { CLASS_A } from "../../support/memory-provider/behaviour.ts";
import { Violation } from "../checks/checks.ts";
import { UNSEEN } from "../mutants/absence-clauses.ts";
import type { Replacement } from "../mutants/mutant.ts";
import { CALM } from "../world/world.ts";
import type { Incident } from "./incident.ts";
import { SOON_MS, Stage } from "./stage.ts";

const WWW = ["www.example.org", "A"] as const;
const API = ["api.example.org", "A"] as const;
const HAND = "198.51.100.1";
const [ONE, TWO] = ["192.0.2.1", "192.0.2.2"] as const;
const OTHERS = '"heritage=external-dns,external-dns/owner=other,external-dns/resource=service/x/y"';
const LONG = `${"x".repeat(63)}.example.org`;
/** 252 bytes: no form of marker name fits into the 253 that a name may have, nor into a label. */
const NOWHERE = `${`${"x".repeat(63)}.`.repeat(3)}${"x".repeat(48)}.example.org`;

/** As external-dns did: the trouble is told to nobody but a log, and the data is written. */
const UNMARKED: Replacement = {
  clause: "no-marker-no-record",
  to: 'if ("trouble" in location) return { before: [], writes: [], preconditions: [] };',
};

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
      clause: "marker-decides-ownership",
      to: "return current.marker !== null;",
      also: [
        {
          clause: "owned-index-has-our-owner-ids",
        },
        UNSEEN,
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
      clause: "foreign-record-blocks-key",
      to: "null",
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
  mutants: [
    {
      drops: "D08 what shares a marker's record set is never touched",
      clause: "shared-marker-is-not-changed",
      to: "return false;",
      also: [
        {
          clause: "shared-marker-is-held",
        },
      ],
    },
  ],
};

const LONG_LABEL: Incident = {
  name: "long-label",
  ids: ["D17"],
  title:
    "the marker's label was over 63 bytes, so the record was created without one and could never go",
  tell: async () => {
    const stage = new Stage();
    for (const [index, dnsName] of [LONG, WWW[0], NOWHERE].entries())
      stage.entry(`e${index}`, { dnsName, targets: [ONE] });
    await stage.passUnjudged();
    stage.expectShown("L1", WWW, [ONE]);
    stage.expectShown("L1", [LONG, "A"], [ONE]);
    const status = stage.entryStatus("e2");
    for (const index of [0, 1, 2]) stage.removeEntry(`e${index}`);
    await stage.passUnjudged(4 * SOON_MS);
    stage.expectShown("L4", WWW, []);
    stage.expectShown("L4", [LONG, "A"], []);
    stage.expectShown("L4", [NOWHERE, "A"], []);
    if (!status.includes("no marker name fits this record"))
      throw new Violation(`L3: ${NOWHERE} does not say why it is not written: ${status}`);
    // S2: and at no time was there data without its marker.
    await stage.pass();
    return stage.world.diary;
  },
  mutants: [
    {
      drops:
        "D17 a label that no marker fits beside: the record is held, or marked in the other form",
      ends: /^L4: x{63}\.example\.org A shows \[192\.0\.2\.1\] /,
      ...UNMARKED,
      also: [
        {
          clause: "label-form-is-tried",
        },
      ],
    },
    {
      drops: "D17 what no form of marker can say is not written",
      ends: /^L4: (x{63}\.){3}x{48}\.example\.org A shows \[192\.0\.2\.1\] /,
      ...UNMARKED,
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
      clause: "marker-without-data-is-completed",
      to: "null",
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
    for (const template of ["label", "typed"] as const) {
      const { ownWrites } = stage.world.auditor;
      stage.instance.kill();
      stage.instance.start({ template });
      await stage.pass();
      if (stage.world.auditor.ownWrites !== ownWrites)
        throw new Violation(`S19: the form ${template} alone made writes`);
    }
    stage.instance.kill();
    stage.instance.start({ template: "label" });
    stage.removeEntry("e0");
    await stage.pass();
    stage.expectShown("L4", WWW, []);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D14 every form is read, whichever is written",
      clause: "every-marker-form-is-read",
      to: 'nameTemplates: all.markerLocation === "label" ? templatesRead(TYPED, []).slice(0, 1) : [TYPED]',
    },
  ],
};

const CHANGED: Incident = {
  name: "stale-marker-batch",
  ids: ["D15"],
  title:
    "a plan rested on a marker that was not there; the batch failed each time, and no change was possible",
  tell: async () => {
    // Nothing but a reading tells that the zone has moved.
    const stage = new Stage({ behaviours: [{ ...CLASS_A, changeToken: "none" }] });
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    // Both are heard of at once, and go in one call.
    stage.instance.interrupt(DNS_ENTRY, "stale", 1_000);
    stage.world.weather = {
      ...CALM,
      apply: () => [{ kind: "foreign", write: () => moveAway(stage) }],
    };
    stage.entry("e0", { dnsName: WWW[0], targets: ["192.0.2.2"] });
    stage.entry("e1", { dnsName: "api.example.org", targets: [ONE] });
    await stage.pass(20_000);
    stage.expectShown("L1", API, [ONE]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D15 what a refused batch rested on is read again",
      clause: "refused-batch-is-read-again",
      to: 'results.some(({ outcome }) => outcome.status === "precondition-failed")',
    },
  ],
};

const EQUAL_IDS: Incident = {
  name: "equal-owner-ids",
  ids: ["D05"],
  title: "two installations had one owner id and deleted each other's records, each minute",
  tell: async () => {
    const stage = new Stage({ isFenced: true });
    const { world, instance } = stage;
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    const otherInstallation = world.addOtherInstallation(instance);
    stage.entry("e0", { dnsName: API[0], targets: [ONE] }, otherInstallation);
    otherInstallation.start();
    await stage.pass(2 * SOON_MS);
    stage.expectShown("Z-17", WWW, [ONE]);
    stage.expectShown("Z-17", API, []);
    if (!otherInstallation.explain().includes("HeldBy"))
      throw new Violation(`L3: ${otherInstallation.domain} does not say why it waits`);
    stage.entry("e0", { dnsName: WWW[0], targets: [TWO] });
    await stage.pass(2 * SOON_MS);
    stage.expectShown("L1", WWW, [TWO]);
    otherInstallation.kill();
    otherInstallation.start();
    await stage.pass();
    stage.expectShown("Z-17", API, []);
    const taking = otherInstallation.takeOwner(instance.domain);
    await stage.pass();
    await taking;
    stage.expectShown("L1", API, [ONE]);
    return world.diary;
  },
  mutants: [
    {
      drops: "D05 the fence",
      clause: "installation-has-a-fence",
    },
    {
      drops: "D05 another installation is not written over",
      clause: "foreign-fence-stops",
      to: 'return { is: "write", next: fresh(self, []) };',
    },
    {
      drops: "D05 the first one is not stopped by whoever comes later",
      clause: "first-installation-goes-on",
      to: 'if (foreign !== undefined) return foreign.contestedBy === null ? { is: "contest", next: { ...foreign, contestedBy: self.domain }, stop: copied(self.domain) } : judgeOwnRecord(foreign, self);',
    },
  ],
};

const MIGRATION: Incident = {
  name: "owner-migration",
  ids: ["D06"],
  title:
    "external-dns's --migrate-from-txt-owner took every record of the old owner id for its own, and deleted those of other clusters",
  tell: async () => {
    const stage = new Stage();
    const { instance } = stage;
    stage.byHand(WWW[0], WWW[1], [ONE]);
    stage.byHand("a-www.example.org", "TXT", [markerOf("default", "service/default/s0")]);
    const elsewhere = [markerOf("default", "service/prod/api")];
    stage.byHand(API[0], API[1], [HAND]);
    stage.byHand("a-api.example.org", "TXT", elsewhere);
    stage.service("s0", [WWW[0]], ONE);
    await stage.pass();
    if ((await stage.transfer("default")).join() !== WWW[0])
      throw new Violation("S16: not exactly what an object here wants is taken over");
    await stage.pass();
    stage.expectShown("S1", API, [HAND]);
    stage.expectShown("S1", ["a-api.example.org", "TXT"], elsewhere);
    stage.expectShown("S16", WWW, [ONE]);
    if (stage.shown("a-www.example.org", "TXT")[0]?.includes("/owner=sim,") !== true)
      throw new Violation("S16: the record does not say that it is ours now");
    instance.kill();
    instance.start();
    stage.service("s0", [WWW[0]], TWO);
    await stage.pass();
    stage.expectShown("L1", WWW, [TWO]);
    stage.expectShown("S1", API, [HAND]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D06 an owner id that we had once gives no right",
      clause: "former-owner-ids-give-no-right",
      to: '$&, "default"',
    },
  ],
};

function markerOf(owner: string, resource: string): string {
  return `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`;
}

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
  EQUAL_IDS,
  MIGRATION,
];
