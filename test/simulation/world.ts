/**
 * A whole system in one process: a zone in memory, one or two instances of the product with their clusters, a virtual
 * clock and one seed. Every write to the zone and every call that is sent is checked, whoever makes it.
 */
import { trustedDnsName } from "../../src/model/dns-name.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { ok } from "../../src/model/result.ts";
import type { ChangeGroup } from "../../src/plan/changes.ts";
import {
  CLASS_A,
  LIKE_AZURE,
  LIKE_RFC2136,
  type MemoryBehaviour,
} from "../../src/providers/memory/behaviour.ts";
import type { ApplyFault, ReadFault } from "../../src/providers/memory/faults.ts";
import { MemorySession } from "../../src/providers/memory/memory-session.ts";
import { MemoryZone } from "../../src/providers/memory/memory-zone.ts";
import type { ZoneContent } from "../../src/providers/memory/zone-content.ts";
import type { ProviderType } from "../../src/providers/provider.ts";
import { MemoryLog } from "../support/test-ports.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import {
  checkForeignUntouched,
  checkGates,
  checkMarked,
  checkProofs,
  checkRemovals,
  notePublished,
} from "./checks.ts";
import { Instance } from "./instance.ts";
import type { Passage } from "./process-gate.ts";
import { SimRandom } from "./sim-random.ts";
import { contentText, statementOf } from "./zone-truth.ts";

const APEX = trustedDnsName("example.org");

/**
 * Back ends of the seeds (F11), all read-your-writes: atomic ones, and two that take one record set a call and check
 * nothing but that (Z-10). What else there is the product does not claim yet.
 */
const BEHAVIOURS: readonly MemoryBehaviour[] = [
  LIKE_RFC2136,
  LIKE_RFC2136,
  CLASS_A,
  { ...LIKE_RFC2136, ttl: { minSeconds: 120, maxSeconds: 240 } },
  { ...CLASS_A, trimsText: true, changeToken: "none" },
  LIKE_AZURE,
  { ...LIKE_RFC2136, atomicity: "set" },
];

/** What the faults of the moment do; replaced by the script. */
export interface Weather {
  passage(what: string): Passage;
  apply(groups: readonly ChangeGroup[]): readonly ApplyFault[];
  read(): readonly ReadFault[];
}

/** No trouble. */
export const CALM: Weather = { passage: () => "pass", apply: () => [], read: () => [] };

/** One seed's world. */
export class World {
  readonly random: SimRandom;
  readonly clock = new VirtualClock();
  readonly zone: MemoryZone;
  /** The first is the one that the story is about; a second, in some seeds, has another owner id and cluster. */
  readonly instances: readonly Instance[];
  readonly log = new MemoryLog();
  /** What happened, in order; printed with a failure. */
  readonly diary: string[] = [];
  weather: Weather = CALM;
  /** First violation of an invariant; ends the run. */
  violation: unknown = null;
  /** Writes of instances that changed the zone. */
  ownWrites = 0;
  /** Removals that only the end of a grace allowed. */
  gracesEnded = 0;

  /** `noTargetsGraceMs`: as `--no-targets-grace`; absent = for ever. */
  constructor(seed: number, noTargetsGraceMs?: number) {
    this.random = new SimRandom(seed);
    this.zone = new MemoryZone({ name: APEX, behaviour: this.random.pick(BEHAVIOURS) });
    const accounts = this.random.chance(0.2) ? 2 : 1;
    const owners = this.random.chance(0.25) ? ["sim", "neighbour"] : ["sim"];
    this.instances = owners.map((owner, index) => {
      const provider: ProviderType = {
        type: "memory",
        open: (_settings, environment) => ok(this.#session(owner, environment)),
      };
      return new Instance({
        owner,
        clusterId: `c${index + 1}`,
        clock: this.clock,
        random: this.random,
        log: this.log,
        provider,
        passage: (what) => this.weather.passage(what),
        note: (line) => this.note(line),
        accounts,
        ...(noTargetsGraceMs === undefined ? {} : { noTargetsGraceMs }),
      });
    });
  }

  /** All record sets of the zone. */
  content(): readonly RecordSet[] {
    return this.zone.content.all();
  }

  /** Notes what happens, with the virtual time. */
  note(line: string): void {
    this.diary.push(`${String(Math.round(this.clock.monotonicMs())).padStart(8)} ${line}`);
  }

  /** F12: somebody else writes into the zone. */
  foreign(what: string, write: () => void): void {
    this.note(`foreign: ${what}`);
    const before = this.content();
    write();
    for (const line of differences(before, this.content())) this.note(`  ${line}`);
  }

  #session(
    owner: string,
    environment: ConstructorParameters<typeof MemorySession>[0]["environment"],
  ): MemorySession {
    const { zone, behaviour, content } = this.zone;
    const seen = { zone, behaviour, content: this.#contentFor(owner, content) };
    return new MemorySession({
      zones: () => [seen],
      faults: {
        apply: (_zone, groups) => this.#onSend(owner, groups),
        read: () => this.weather.read(),
      },
      environment,
    });
  }

  /** The shared content; what this owner's sessions write is checked. */
  #contentFor(owner: string, content: ZoneContent): ZoneContent {
    const write: ZoneContent["write"] = (edits, atMs) => {
      const before = content.all();
      content.write(edits, atMs ?? this.clock.monotonicMs());
      this.#onWrite(owner, before, content.all());
    };
    return new Proxy(content, {
      get: (target, key) => {
        if (key === "write") return write;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  #instance(owner: string): Instance {
    const instance = this.instances.find((one) => one.owner === owner);
    if (instance === undefined) throw new Error(`nobody is ${owner}`);
    return instance;
  }

  #onSend(owner: string, groups: readonly ChangeGroup[]): readonly ApplyFault[] {
    const names = groups.map(groupText).join("; ");
    const faults = this.weather.apply(groups);
    this.note(`${owner}: sent ${names}${faults.map((fault) => ` (${fault.kind})`).join("")}`);
    const instance = this.#instance(owner);
    const { truth, view } = instance;
    const isGraceOver = (resource: string): boolean => {
      const isOver = instance.isGraceOver(resource);
      if (isOver) this.gracesEnded += 1;
      return isOver;
    };
    this.#check(() => {
      checkProofs(groups);
      checkGates(groups, view);
      checkRemovals(groups, this.content(), { truth, owner, isGraceOver });
    });
    return faults;
  }

  #onWrite(owner: string, before: readonly RecordSet[], after: readonly RecordSet[]): void {
    this.ownWrites += 1;
    this.#check(() => {
      checkForeignUntouched(before, after, owner);
      checkMarked(before, after, owner);
      notePublished({ before, after }, this.#instance(owner).truth, owner);
    });
  }

  #check(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation ??= error;
    }
  }
}

/** What a write changed, as lines of zone text after + and -. The SOA is left out. */
function differences(before: readonly RecordSet[], after: readonly RecordSet[]): readonly string[] {
  const texts = (sets: readonly RecordSet[]): readonly string[] =>
    sets.filter(({ type }) => type !== "SOA").map(contentText);
  const [old, now] = [new Set(texts(before)), new Set(texts(after))];
  return [
    ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}

/** A marker by its object, and its data while it is pending. */
function shortText(set: RecordSet): string {
  const stated = statementOf(set);
  const data = /external-dns\/data=([^,"]*)/.exec(set.values[0] ?? "")?.[1];
  if (stated === null) return set.values.join(",");
  return `${stated.resource}${data === undefined ? "" : ` (pending ${data})`}`;
}

function groupText({ changes }: ChangeGroup): string {
  const texts = changes.map((change) => {
    const set = change.op === "remove" ? change.previous : change.next;
    return `${change.op} ${set.name} ${set.type} ${shortText(set)}`;
  });
  return texts.join(", ");
}
