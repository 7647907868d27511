/**
 * Incidents of what reached further than it was told to: a missing scope that was read as
 * "everything".
 */
import { OPTIONS } from "../../../src/config/options-table.ts";
import { parseOptionValue } from "../../../src/config/parse-option-value.ts";
import { Violation } from "../checks/checks.ts";
import { UNSEEN } from "../mutants/absence-clauses.ts";
import type { Incident } from "./incident.ts";
import { SOON_MS, Stage } from "./stage.ts";

const WWW = ["www.example.org", "A"] as const;
const HAND = "198.51.100.1";
const [ONE, TWO] = ["192.0.2.1", "192.0.2.2"] as const;
const HERITAGE = "heritage=external-dns";
const RESOURCE = "external-dns/resource=service/x";
/** Records that are not ours, each with the text of its marker; null = it has none. */
const OTHERS = [
  ["hand", null],
  ["other", `"${HERITAGE},external-dns/owner=other,${RESOURCE}/other"`],
  ["nobody", `"${HERITAGE},${RESOURCE}/nobody"`],
] as const;

const SCOPELESS: Incident = {
  name: "missing-scope",
  ids: ["D07"],
  title:
    "Kuadrant: a DNSRecord without rootHost and ownerID planned the removal of every other record of the zone",
  tell: async () => {
    const stage = withOtherFormats();
    refuseNoOwner();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await plannedWhole(stage);
    // No name at all, an empty one, and nothing but a provider that may serve whatever its account
    // has.
    stage.servedZones([]);
    stage.unpredictedEntry("e1", { targets: [TWO] });
    stage.unpredictedEntry("e2", { dnsName: "", targets: [TWO] });
    stage.unpredictedEntry("e3", {});
    await plannedWhole(stage);
    for (const name of ["e1", "e2", "e3"])
      if (!/dnsName|not a DNS name/.test(stage.entryStatus(name)))
        throw new Violation(
          `L3: ${name} does not say that it lacks a name: ${stage.entryStatus(name)}`,
        );
    // The name of one that was published is lost.
    stage.unpredictedEntry("e0", { targets: [ONE] });
    await plannedWhole(stage);
    for (const name of ["e1", "e2", "e3"]) stage.removeEntry(name);
    await plannedWhole(stage);
    stage.entry("e0", { dnsName: WWW[0], targets: [TWO] });
    await stage.pass();
    stage.expectShown("L1", WWW, [TWO]);
    stage.removeEntry("e0");
    await stage.pass();
    stage.expectShown("L4", WWW, []);
    expectOthers(stage);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D07 an object without a name has no records, and not all records",
      ends: /^S1: of others is gone: other A, a-other TXT, nobody A, a-nobody TXT$/,
      clause: "nameless-object-has-no-records",
      // Both files know the function, which carries the word from one to the other.
      to: "{ canonicalValues.isWhole = true; $& }",
      also: [
        {
          clause: "marker-names-our-owner-id",
          to: "(canonicalValues.isWhole || $&)",
        },
        {
          clause: "owned-index-has-our-owner-ids",
        },
        {
          // What the scope covers is found by looking at the whole zone, again and again.
          clause: "missed-name-stops-self-check",
          to: "for (const name of missed) ledger.mark(name, false); if (missed !== null) return;",
        },
        UNSEEN,
      ],
    },
    {
      drops: "D07 a marker without an owner belongs to no owner",
      ends: /^S1: of others is gone: nobody A, a-nobody TXT$/,
      clause: "marker-without-owner-is-unowned",
      to: '["sim"].find(isOwnedByUs) ?? ""',
      also: [UNSEEN],
    },
    {
      drops: "D07 there is no owner id that is empty",
      ends: /^S1: an empty owner id/,
      clause: "owner-id-is-not-empty",
      to: "(_option, text) => ok(text)",
    },
  ],
};

/** Kept by external-dns with the owner id that is ours now: what each object names is not read. */
const MOVED = ["forgotten", "rule", "gone"];

const MOVED_IN: Incident = {
  name: "moved-in-zone",
  ids: ["D07"],
  title:
    "Zonekeeper: started with the owner id of an external-dns, it removed what it had never seen anybody list",
  tell: async () => {
    const stage = new Stage();
    stage.instance.kill();
    for (const label of MOVED) {
      const marker = `"${HERITAGE},external-dns/owner=sim,${RESOURCE.replace("/x", "/default")}/${label}"`;
      stage.byHand(`${label}.example.org`, "A", [HAND]);
      stage.byHand(`a-${label}.example.org`, "TXT", [marker]);
      if (label !== "gone") stage.annotate(label, []);
    }
    stage.instance.start();
    await stage.pass();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.instance.kill();
    stage.instance.start();
    await stage.pass();
    for (const label of MOVED) stage.expectShown("S3", [`${label}.example.org`, "A"], [HAND]);
    stage.removeEntry("e0");
    await stage.pass();
    stage.expectShown("L4", WWW, []);
    return stage.world.diary;
  },
  mutants: [
    { drops: "Z-22 only what was seen can be seen to be gone", ends: /^S\d/, ...UNSEEN },
    {
      drops: "Z-22 another one's marker shows nothing",
      ends: /^S\d/,
      clause: "foreign-marker-shows-nothing",
      to: "return null;",
    },
  ],
};

/** Three records of others, and a process that knows nothing of them. */
function withOtherFormats(): Stage {
  const stage = new Stage();
  for (const [label, marker] of OTHERS) {
    stage.byHand(`${label}.example.org`, "A", [HAND]);
    if (marker !== null) stage.byHand(`a-${label}.example.org`, "TXT", [marker]);
  }
  return stage;
}

/** A new process looks at every name of the zone, with all objects at hand. */
async function plannedWhole(stage: Stage): Promise<void> {
  await stage.passUnjudged();
  stage.instance.kill();
  stage.instance.start();
  await stage.passUnjudged(4 * SOON_MS);
  expectOthers(stage);
  stage.expectShown("S3", WWW, [ONE]);
  await stage.pass();
}

function expectOthers(stage: Stage): void {
  const gone = OTHERS.flatMap(([label, marker]) => {
    const data = [`${label} A`, HAND] as const;
    return marker === null ? [data] : [data, [`a-${label} TXT`, marker] as const];
  }).filter(([key, value]) => {
    const [label, type = ""] = key.split(" ");
    return stage.shown(`${label}.example.org`, type).join() !== value;
  });
  if (gone.length > 0)
    throw new Violation(`S1: of others is gone: ${gone.map(([key]) => key).join(", ")}`);
}

/** Without an owner id nothing starts: it would be that of every record which names none. */
function refuseNoOwner(): void {
  const option = OPTIONS.find(({ name }) => name === "owner");
  if (option === undefined) throw new Error("there is no option owner");
  for (const owner of ["", " "])
    if (parseOptionValue(option, owner).ok) throw new Violation("S1: an empty owner id is taken");
}

/** Nothing said is nothing meant. */
export const SCOPE: readonly Incident[] = [SCOPELESS, MOVED_IN];
