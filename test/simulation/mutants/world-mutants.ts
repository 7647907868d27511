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
    file: "src/gardener/dns-entry/decide-entry.ts",
    from: 'return notServed(context, "ProviderNotReady", selection.message);',
    to: 'return shown(context, { state: "Error", message: "" }, { send: zonesOf(context).map((zone) => contributionTo(zone, contributionOf(context, { items: [], waiting: [], problems: [], complete: true }))) });',
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
    file: "src/sync/zone/name-planner.ts",
    from: 'return order?.is === "remove" && order.marker === markerState(set.marker);',
    to: "return false;",
  },
  {
    drops: "Z-24 what stood there waits for a person on first contact",
    only: "F06",
    seed: 3,
    violation: "Z-24:",
    file: "src/plan/fuse-first-plan.ts",
    from: "(owner === undefined ? met : contacts?.[owner]) === false;",
    to: "(owner === undefined ? met : contacts?.[owner]) === null;",
  },
  {
    drops: "Z-10 a marker waits for a create of its record that may come late",
    only: "F07",
    seed: 113,
    violation: "S2:",
    file: "src/sync/zone/plan-round.ts",
    from: "if (!ledger.unanswered.mayStillLand(plan.name)) return group;",
    to: "return group;",
  },
  {
    drops: "Z-10 while the marker of one removal has to stay the other records of the name go",
    only: "F23-alidns",
    seed: 170,
    violation: "L4:",
    file: "src/ownership/txt/ownership.ts",
    from: "selectIndependentRemovals(plan, content).filter(mayGo);",
    to: "selectIndependentRemovals(plan, content).filter(() => mayGo !== null);",
  },
  ...["F23-cloudflare", "F23-alidns"].map((only) => ({
    drops: "Z-27 what no call compared is judged when the name was read again",
    only,
    seed: 7,
    violation: "S1:",
    file: "src/sync/zone/plan-round.ts",
    from: "await judgeOwnWrites(input, due);",
    to: "await judgeOwnWrites(input, []);",
    also: [
      {
        file: "src/plan/decide-wanted.ts",
        from: "foreign.length > 0 && difference.change !== null",
        to: "foreign.length > 99",
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
    file: "src/plan/decide-wanted.ts",
    from: "const foreign = undesiredForeign(current, desired);",
    to: "const foreign = undesiredForeign(current, desired).slice(99);",
  })),
  {
    drops: "Z-27 a name is read right before a call that compares nothing",
    only: "F23-powerdns",
    seed: 4,
    violation: "S1:",
    file: "src/sync/zone/plan-round.ts",
    from: "if (mustReadFirst(group, zoneInput.session.capabilities) && !read.has(plan.name)) {",
    to: "if (group.resumes === true && !read.has(plan.name)) {",
    also: [
      {
        file: "src/sync/zone/freshness.ts",
        from: "if (time === undefined) return false;",
        to: "if (time === undefined) return true;",
      },
    ],
  },
  {
    drops: "Z-27 a first marker at a record of somebody else goes, whoever wrote it",
    only: "F23-alidns",
    seed: 59,
    violation: "Z-27:",
    file: "src/sync/zone/judge-own-writes.ts",
    from: "return views.some((view) => isWaiting(view) && isTaken(view));",
    to: "return views.slice(99).some((view) => isWaiting(view) && isTaken(view));",
  },
  {
    drops: "Z-27 equal data that no call of ours wrote is another's",
    only: "F23-webhook",
    seed: 135,
    violation: "S1:",
    file: "src/sync/zone/judge-own-writes.ts",
    from: "return isFirst && views.some((view) => view.data !== null);",
    to: "return isFirst && views.slice(99).length > 0;",
  },
  {
    drops: "Z-31 a look-up without an address ends no record",
    only: "F17",
    seed: 2,
    violation: "S3:",
    file: "src/controllers/objects/host-lookups.ts",
    from: "resolve(isEmpty(answer) ? emptyText(given) : answer);",
    to: "resolve(answer);",
    also: [
      {
        file: "src/controllers/objects/host-addresses.ts",
        from: "fresh.length > 0 || isEdited ? fresh : before[kind]",
        to: "fresh",
      },
      {
        file: "src/controllers/objects/looked-up-sets.ts",
        from: "if (addresses === null || isEmpty(addresses)) waiting.push",
        to: "if (addresses === null) waiting.push",
      },
    ],
  },
  {
    drops: "Z-1 DNSAnnotations that cannot be listed end nothing",
    only: "F25",
    seed: 1,
    violation: "S3:",
    file: "src/sources/secondary-reads.ts",
    from: "if (unread.size === 0) return { ...found, reads };",
    to: "if (unread.size >= 0) return { ...found, reads };",
    also: [
      {
        file: "src/controllers/objects/read-now.ts",
        from: "(found.reads ?? []).filter((read) => !this.#now.has(read));",
        to: "(found.reads ?? []).slice(0, 0);",
      },
      {
        file: "src/app/start-controllers.ts",
        from: "source.secondary.map((kind) => ({ ...others, kind, isSecondary: true })),",
        to: "source.secondary.slice(0, 0).map((kind) => ({ ...others, kind, isSecondary: true })),",
      },
    ],
  },
  {
    drops: "ADR 0050 an owner id that is off is given up in every zone",
    only: "F24",
    seed: 10,
    violation: "F24:",
    file: "src/sync/fence/zone-fences.ts",
    from: "  async #giveUp(id: string): Promise<void> {\n    this.#owners.delete(id);",
    to: "  async #giveUp(id: string): Promise<void> {",
  },
];
