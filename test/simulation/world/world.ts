/**
 * A whole system in one process: a zone in memory, one or two instances of the product with their
 * clusters, a virtual clock and one seed. Every write to the zone and every call that is sent is
 * checked, whoever makes it.
 */
import { ok } from "@zonekeeper/base/result";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { ChangeGroup } from "../../../src/plan/changes.ts";
import type { ProviderType } from "../../../src/providers/provider.ts";
import type { SourceRow } from "../../../src/sources/source.ts";
import { LIKE_RFC2136, type MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import type { ApplyFault, ReadFault } from "../../support/memory-provider/faults.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryZone } from "../../support/memory-provider/memory-zone.ts";
import type { ZoneContent } from "../../support/memory-provider/zone-content.ts";
import { MemoryLog } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { Auditor } from "../checks/auditor.ts";
import { Account, type Way } from "./account.ts";
import { type Arrival, hasRecords } from "./arrivals.ts";
import { Instance, type Sender } from "./instance.ts";
import type { Passage } from "./process-gate.ts";
import { SimRandom } from "./sim-random.ts";
import { type ResolverMood, SimResolver } from "./sim-resolver.ts";
import { Tally } from "./tally.ts";
import { WatchedSession } from "./watched-session.ts";
import { claimOf, contentText } from "./zone-truth.ts";

const APEX = trustedDnsName("example.org");
/** Zones that an account may show besides (F15, F16). */
const EXTRA_APEX = trustedDnsName("example.net");

/** What the faults of the moment do; replaced by the script. */
export interface Weather {
  passage(what: string): Passage;
  apply(groups: readonly ChangeGroup[]): readonly ApplyFault[];
  read(): readonly ReadFault[];
  /** F17. */
  mood(): ResolverMood;
}

/** No trouble. */
export const CALM: Weather = {
  passage: () => "pass",
  apply: () => [],
  read: () => [],
  mood: () => "answers",
};

/** What a world is made of; the rest is drawn from the seed. */
export interface WorldOptions {
  readonly seed: number;
  /** Back ends of which the seed picks one; default: the plain one. */
  readonly behaviours?: readonly MemoryBehaviour[];
  /** How many owners share the zone, 1 or 2; absent = the seed draws it. */
  readonly owners?: number;
  /** Sources that run besides those of `all`. */
  readonly sources?: readonly SourceRow[];
  /** As `--no-targets-grace`, milliseconds; absent = for ever. */
  readonly noTargetsGraceMs?: number;
  /**
   * With the fuse, and this least number of strongly proven removals, of several the seed picks;
   * absent = without.
   */
  readonly fuseMin?: number | readonly number[];
  /** Whether zones are fenced (Z-17), which atomic back ends allow; absent = in each third seed. */
  readonly isFenced?: boolean;
  /**
   * Z-17: second installations may come with the owner id of the first; then each second seed is
   * fenced.
   */
  readonly hasOtherInstallations?: boolean;
  /** With records of before comes the fuse (Z-24). Absent or null = an empty zone and one way. */
  readonly arrival?: Arrival | null;
}

/** Z-16's default, where the fuse came with an arrival. */
const ARRIVAL_FUSE_MIN = 10;

/** One seed's world. */
export class World {
  readonly random: SimRandom;
  readonly clock = new VirtualClock();
  readonly tally = new Tally();
  readonly zone: MemoryZone;
  readonly #extra = new MemoryZone({ name: EXTRA_APEX });
  /** Another zone of the same name, as a private view beside a public one. */
  readonly #twin = new MemoryZone({ name: APEX, id: "twin", endpoint: "elsewhere" });
  /**
   * The first is the one that the story is about; a second, in some seeds, has another owner id and
   * cluster.
   */
  readonly instances: readonly Instance[];
  /** Z-17: installations that were started with the owner id of another one by mistake. */
  readonly otherInstallations: Instance[] = [];
  readonly isFenced: boolean;
  readonly arrival: Arrival | null;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly resolver = new SimResolver(() => this.weather.mood());
  readonly log = new MemoryLog();
  /** What happened, in order; printed with a failure. */
  readonly diary: string[] = [];
  readonly auditor: Auditor;
  readonly #options: WorldOptions;
  readonly #providers: number;
  readonly #fuseMin: number | null;
  weather: Weather = CALM;
  /** S14: changes of this name are refused as long as it is set, whatever the weather. */
  poisoned: string | null = null;
  /** F14: how long everything stands still at the next turn, milliseconds. */
  pauseMs = 0;
  /** Told after each write of a process to the zone; null = nobody listens. */
  onWritten: (() => void) | null = null;
  /** Virtual time of the last write to the zone, by anybody. */
  writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: WorldOptions) {
    const { seed, behaviours = [LIKE_RFC2136], hasOtherInstallations = false } = options;
    this.arrival = options.arrival ?? null;
    // Not drawn, as with the fence.
    const fuseMins = [options.fuseMin ?? (hasRecords(this.arrival) ? ARRIVAL_FUSE_MIN : [])].flat();
    const fuseMin = fuseMins[seed % fuseMins.length];
    this.#options = options;
    this.#fuseMin = fuseMin ?? null;
    this.random = new SimRandom(seed);
    // Not drawn: stories of before stay what they were.
    this.isFenced = options.isFenced ?? seed % (hasOtherInstallations ? 2 : 3) === 0;
    this.zone = new MemoryZone({ name: APEX, behaviour: this.random.pick(behaviours) });
    const hasTwo = this.random.chance(0.2);
    this.#providers = hasTwo || this.arrival === "two-ways" ? 2 : 1;
    const isShared = this.random.chance(0.25);
    const count = options.owners ?? (isShared ? 2 : 1);
    const owners = ["sim", "neighbour"].slice(0, count);
    const nowMs = (): number => this.clock.monotonicMs();
    const ways = this.arrival === "two-ways" ? 2 : 1;
    this.accounts = new Map(owners.map((owner) => [owner, new Account(nowMs, ways)]));
    this.auditor = new Auditor({
      tally: this.tally,
      nowMs,
      instanceOf: (sender) => this.#instance(sender),
      hasOtherInstallation: (owner) =>
        this.otherInstallations.some((otherInstallation) => otherInstallation.owner === owner),
      content: () => this.content(),
      serial: () => this.zone.content.serial,
      fuseMin: fuseMin ?? null,
      behaviour: this.zone.behaviour,
    });
    this.instances = owners.map((owner, index) => this.#installation(owner, uidOf(index)));
  }

  #installation(owner: string, clusterId: string): Instance {
    const { noTargetsGraceMs, sources = [] } = this.#options;
    return new Instance({
      owner,
      clusterId,
      clock: this.clock,
      random: this.random,
      log: this.log,
      resolver: this.resolver,
      provider: (sender) => this.#providerFor(sender),
      passage: (what) => this.weather.passage(what),
      note: (line) => this.note(line),
      onLate: (what) =>
        this.auditor.checked("S6", `${what} was begun after the process was told to stop`),
      sources,
      accounts: this.#providers,
      isFenced: this.isFenced,
      ...(noTargetsGraceMs === undefined ? {} : { noTargetsGraceMs }),
      ...(this.#fuseMin === null ? {} : { fuseMin: this.#fuseMin }),
    });
  }

  /**
   * Z-17: another installation, with a cluster of its own and the owner id of this one. It is not
   * started yet.
   */
  addOtherInstallation({ owner }: Pick<Instance, "owner">): Instance {
    const count = this.instances.length + this.otherInstallations.length;
    const otherInstallation = this.#installation(owner, uidOf(count));
    this.otherInstallations.push(otherInstallation);
    return otherInstallation;
  }

  /**
   * Z-17: rivals are shut down, and a person gives their owner ids back to the installations that
   * stay.
   */
  settleOwners(): Promise<readonly PromiseSettledResult<void>[]> {
    const takings = this.otherInstallations.flatMap((otherInstallation) => {
      otherInstallation.kill();
      const stays = this.instances.filter(({ owner }) => owner === otherInstallation.owner);
      return stays.map((instance) => instance.takeOwner(otherInstallation.domain));
    });
    // What fails now is done at the end of all trouble.
    return Promise.allSettled(takings);
  }

  /** Whether second installations with the owner id of the first may come. */
  get mayHaveOtherInstallations(): boolean {
    return this.#options.hasOtherInstallations === true && this.isFenced;
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
    this.auditor.onForeign(before, this.content());
    const lines = differences(before, this.content());
    if (lines.length > 0) this.tally.add("F12");
    for (const line of lines) this.note(`  ${line}`);
  }

  /** The account of an owner. */
  account(owner: string): Account {
    const account = this.accounts.get(owner);
    if (account === undefined) throw new Error(`${owner} has no account`);
    return account;
  }

  #providerFor(sender: Sender): ProviderType {
    const { owner } = sender;
    const lost = new Set<string>();
    return {
      type: "memory",
      open: ({ config }, environment) => {
        const way = this.account(owner).way(Number(fieldsOf(config)["index"]));
        return ok(
          new WatchedSession({
            inner: this.#session(sender, environment, way),
            way,
            clock: this.clock,
            lost,
            checked: (id, trouble) => this.auditor.checked(id, trouble),
          }),
        );
      },
    };
  }

  #session(
    sender: Sender,
    environment: ConstructorParameters<typeof MemorySession>[0]["environment"],
    way: Way,
  ): MemorySession {
    const { zone, behaviour, content } = this.zone;
    const seen = { zone, behaviour, content: this.#contentFor(sender, content) };
    // The behaviour of a session is that of the first zone when it is opened.
    let isOpen = false;
    const session = new MemorySession({
      zones: () => [
        ...(isOpen && way.has("zone-lost") ? [] : [seen]),
        ...(way.has("zone-extra") ? [this.#extra] : []),
        ...(way.has("zone-twin") ? [this.#twin] : []),
      ],
      faults: {
        apply: (zoneId, groups) => (zoneId === zone.id ? this.#onSend(sender, groups) : []),
        read: (_zoneId, names) => [
          ...this.weather.read(),
          // Last of all: what is read is what is there now.
          { kind: "foreign", write: () => this.auditor.onRead(sender, names, content.serial) },
        ],
      },
      // What a dead process has sent still arrives: it has the world's time, not that of its
      // process.
      environment: { ...environment, clock: this.clock },
    });
    isOpen = true;
    return session;
  }

  /** The shared content; what this process's sessions write is checked. */
  #contentFor(sender: Sender, content: ZoneContent): ZoneContent {
    const write: ZoneContent["write"] = (edits, atMs) => {
      const before = content.all();
      content.write(edits, atMs ?? this.clock.monotonicMs());
      this.writtenAtMs = this.clock.monotonicMs();
      this.auditor.onWrite(sender, before, content.all());
      this.onWritten?.();
    };
    return new Proxy(content, {
      get: (target, key) => {
        if (key === "write") return write;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  #instance({ clusterId }: Sender): Instance {
    const all = [...this.instances, ...this.otherInstallations];
    const instance = all.find(({ cluster }) => cluster.clusterId === clusterId);
    if (instance === undefined) throw new Error(`there is no cluster ${clusterId}`);
    return instance;
  }

  #onSend(sender: Sender, groups: readonly ChangeGroup[]): readonly ApplyFault[] {
    const names = groups.map(groupText).join("; ");
    const faults = [...this.weather.apply(groups), ...this.#poison(groups)];
    this.note(
      `${sender.owner}: sent ${names}${faults.map((fault) => ` (${fault.kind})`).join("")}`,
    );
    this.auditor.onSend(sender, groups, faults);
    return faults;
  }

  #poison(groups: readonly ChangeGroup[]): readonly ApplyFault[] {
    if (!groups.some(({ name }) => name === this.poisoned)) return [];
    this.tally.add("S14");
    const matches = (group: ChangeGroup): boolean => group.name === this.poisoned;
    return [{ kind: "rejects", code: "Refused", matches }];
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
  const stated = claimOf(set);
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

/** The id of a cluster, as its kube-system namespace has it. */
function uidOf(cluster: number): string {
  return `c0000000-0000-4000-8000-${String(cluster).padStart(12, "0")}`;
}
