/**
 * Mutants of the program that stories of one fault class have to end, each in the violation that it
 * is here for. Data only.
 */
import { UNSEEN } from "./absence-clauses.ts";
import type { Mutant } from "./mutant.ts";

/** A rule that is dropped, and where its loss shows. */
export interface WorldMutant extends Mutant {
  /** Fault class whose stories are played. */
  readonly only: string;
  /** A seed that has shown it: tried first. */
  readonly seed: number;
  /** How the message of its violation begins. */
  readonly violation: string;
}

export const WORLD_MUTANTS: readonly WorldMutant[] = [
  {
    drops: "S17 an entry whose DNSProvider is deleted keeps what stands",
    only: "F15",
    seed: 9,
    violation: "S17:",
    clause: "unserved-entry-keeps-records",
    to: 'return shown(context, { state: "Error", message: "" }, { send: zonesOf(context).map((zone) => ({ key: zone.key, zone: zone.zone, contribution: contributionOf(context, { items: [], waiting: [], problems: [], complete: true }) })) });',
  },
  {
    drops: "Z-3 while listed objects have yet to say what they want nothing gives way",
    only: "F12",
    seed: 23,
    violation: "S19:",
    clause: "listed-objects-speak-first",
    to: "const areObjectsUnread = false;",
  },
  {
    drops: "Z-22 what nobody here was seen to list stays",
    only: "F06",
    seed: 3,
    violation: "Z-22:",
    ...UNSEEN,
  },
  {
    drops: "Z-22 an orphan goes when a person orders it",
    only: "F18",
    seed: 44,
    violation: "L1:",
    clause: "person-orders-orphan",
    to: "return false;",
  },
  {
    drops: "Z-24 what stood there waits for a person on first contact",
    only: "F06",
    seed: 3,
    violation: "Z-24:",
    clause: "first-contact-waits-for-approval",
    to: "return isOver(state, owner) === null;",
  },
  {
    drops: "Z-10 a marker waits for a create of its record that may come late",
    only: "F07",
    seed: 81,
    violation: "S2:",
    clause: "late-create-keeps-marker",
    to: "return group;",
  },
  {
    drops: "Z-10 a record waits for its removal while a create of other data may come late",
    only: "F07",
    seed: 3121,
    violation: "S2:",
    clause: "late-create-keeps-record",
    to: "false",
  },
  {
    drops: "Z-10 while the marker of one removal has to stay the other records of the name go",
    only: "F23-alidns",
    seed: 47,
    violation: "L4:",
    clause: "independent-removals-may-go",
    to: "const going = selectIndependentRemovals(plan, content).filter(() => mayGo !== null);",
  },
  ...["F23-cloudflare", "F23-alidns"].map((only) => ({
    drops: "Z-27 what no call compared is judged when the name was read again",
    only,
    seed: 7,
    violation: "S1:",
    clause: "due-names-are-judged",
    to: "[]",
    also: [
      {
        clause: "foreign-value-holds",
        to: 'if (foreign.length > 99) return hold(desired, "ForeignValue", foreignValueText(desired.type, foreign));',
      },
    ],
  })),
  ...Object.entries({
    "F23-cloudflare": 4,
    "F23-alidns": 103,
    "F23-powerdns": 4,
    "F23-webhook": 1,
  }).map(([only, seed]) => ({
    drops: "Z-27 a value that the marker does not name is of somebody else",
    only,
    seed,
    violation: "S1:",
    clause: "undesired-value-is-foreign",
    to: "$&.slice(99)",
  })),
  {
    drops: "Z-27 a name is read right before a call that compares nothing",
    only: "F23-powerdns",
    seed: 4,
    violation: "S1:",
    clause: "name-is-read-first",
    to: "group.resumes === true",
    also: [
      {
        clause: "unread-name-is-not-fresh",
        to: "true",
      },
    ],
  },
  {
    drops: "Z-27 a first marker at a record of somebody else goes, whoever wrote it",
    only: "F23-alidns",
    seed: 103,
    violation: "Z-27:",
    clause: "marker-at-foreign-record-goes",
    to: "return views.slice(99).some((view) => isWaiting(view) && isTaken(view));",
  },
  {
    drops: "Z-31 a look-up without an address ends no record",
    only: "F17",
    seed: 2,
    violation: "S3:",
    clause: "empty-answer-is-a-failure",
    to: "resolve(answer);",
    also: [
      {
        clause: "address-kind-stays-for-same-hosts",
        to: "return fresh;",
      },
      {
        clause: "record-without-address-waits",
      },
    ],
  },
  {
    drops: "Z-1 DNSAnnotations that cannot be listed end nothing",
    only: "F25",
    seed: 42,
    violation: "S3:",
    clause: "unread-look-up-is-incomplete",
    to: "unread.size >= 0",
    also: [
      {
        clause: "removal-reads-secondary-objects",
        to: "const unread = (found.reads ?? []).slice(0, 0);",
      },
      {
        clause: "secondary-kinds-gate",
        to: "source.secondary.slice(0, 0).map((kind) => ({ ...others, kind, isSecondary: true }))",
      },
    ],
  },
  {
    drops: "ADR 0050 an owner id that is off is given up in every zone",
    only: "F24",
    seed: 10,
    violation: "F24:",
    clause: "owner-id-is-released",
  },
];
