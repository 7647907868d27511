/**
 * Both ways at once: ServiceEntries go out to a zone whose other names come in (ADR 0134). The
 * table of what one change on either side does, a rival on either side, and a day of changes on
 * both. Throws at the first rule that is broken; no test framework, so that mutants can be bundled.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { SERVICE_ENTRY } from "../../../src/model/kinds.ts";
import { NO_FAULTS } from "../../support/memory-provider/faults.ts";
import { SeededRandom } from "../../support/ports/test-ports.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { addProvider, objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

const MINUTE = 60_000;
const SETTLE_MS = 5 * MINUTE;
const APEX = "example.org";
const IMPORTS = [{ zone: APEX, namespace: "default" }];

/** The whole program over one zone, where people write ServiceEntries and records. */
export class BothWays {
  readonly world = programWorld({ controllers: ["compound", "istio-serviceentry"] });
  /** Another cluster over the same zone, with the same owner id. */
  readonly far = new MemoryCluster("c2", () => this.world.clock.nowMs());
  #running: readonly { stop(): Promise<void> }[] = [];

  constructor() {
    addProvider(this.far);
  }

  start(): this {
    const [imports, far] = [IMPORTS, this.far];
    this.#running = [
      this.world.start(undefined, { imports }),
      this.world.start(undefined, { imports, source: far, target: far, providers: far }),
    ];
    return this;
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((one) => one.stop()));
  }

  pass(ms: number): Promise<void> {
    return this.world.clock.advance(ms);
  }

  /** A user's ServiceEntry that is published; null = it is deleted. */
  publish(label: string, address: string | null, cluster = this.world.cluster): void {
    if (address === null) {
      cluster.delete(SERVICE_ENTRY, "default", label);
      return;
    }
    const spec = {
      hosts: [`${label}.${APEX}`],
      addresses: [address],
      resolution: "STATIC",
      ports: [{ name: "https", number: 8443 }],
    };
    const metadata = {
      annotations: { "zonekeeper.dev/publish": "true", "zonekeeper.dev/srv": "true" },
    };
    const fields = { metadata, spec };
    cluster.apply(SERVICE_ENTRY, objectOf("networking.istio.io/v1", "ServiceEntry", label, fields));
  }

  /** Somebody else writes the A record of the zone; null = it goes. */
  write(label: string, address: string | null): void {
    const name = trustedDnsName(`${label}.${APEX}`);
    const key = { name, type: "A" as RecordType, setIdentifier: null };
    const set = { ...key, ttlSeconds: 60, properties: {}, routingPolicy: null };
    const next = address === null ? null : { ...set, values: [address] };
    this.world.content.write([{ key, next }], this.world.clock.nowMs());
  }

  inZone(label: string): string {
    return this.world
      .values(`${label}.${APEX}`)
      .filter((value) => !value.startsWith('"'))
      .join();
  }

  /** The imported object of the host. */
  imported(label: string, cluster = this.world.cluster) {
    const isOf = (value: unknown): boolean => listOf(value)?.includes(`${label}.${APEX}`) === true;
    return cluster
      .all(SERVICE_ENTRY)
      .find((one) => one.metadata.name !== label && isOf(fieldsOf(one["spec"])["hosts"]));
  }

  /** Where it leads; empty = it is not imported. */
  inMesh(label: string, cluster = this.world.cluster): string {
    const endpoints = listOf(fieldsOf(this.imported(label, cluster)?.["spec"])["endpoints"]) ?? [];
    return endpoints.map((one) => fieldsOf(one)["address"]).join();
  }

  /** A hand edit of the imported object. */
  edit(label: string, address: string, annotations: Readonly<Record<string, string>> = {}): void {
    const object = this.imported(label);
    if (object === undefined) throw new Error(`${label} is not imported`);
    const spec = { ...fieldsOf(object["spec"]), endpoints: [{ address }] };
    const all = { ...object.metadata.annotations, ...annotations };
    const metadata = { ...object.metadata, annotations: all };
    this.world.cluster.apply(SERVICE_ENTRY, { ...object, metadata, spec });
  }

  drop(label: string): void {
    const name = this.imported(label)?.metadata.name;
    if (name !== undefined) this.world.cluster.delete(SERVICE_ENTRY, "default", name);
  }

  break(isBroken: boolean): void {
    const read = () => [{ kind: "down" as const }];
    this.world.breakWith(isBroken ? { ...NO_FAULTS, read } : NO_FAULTS);
  }

  /** Texts of Events. */
  events(): string {
    const { events } = this.world.cluster;
    return events.map(({ object, note }) => `${object} ${note.reason} ${note.message}`).join("\n");
  }
}

type Step = (ways: BothWays) => void | Promise<void>;

/** One row of the table: what was agreed, what changes, and what is there afterwards. */
interface Row {
  readonly what: string;
  readonly agreed?: Step;
  readonly change: Step;
  /** `zone/mesh` at `www`, after five minutes. */
  readonly leads: string;
}

const OUT: Step = (ways) => ways.publish("www", "192.0.2.1");
const IN: Step = (ways) => ways.write("www", "192.0.2.7");

/** Authority is per name: what an object publishes is the cluster's, all else the zone's. */
const TABLE: readonly Row[] = [
  { what: "an object without a record is published", change: OUT, leads: "192.0.2.1/" },
  {
    what: "an object takes no record of somebody else",
    change: async (ways) => {
      await IN(ways);
      await OUT(ways);
    },
    leads: "192.0.2.7/",
  },
  {
    what: "an edited object changes the zone",
    agreed: OUT,
    change: (ways) => ways.publish("www", "192.0.2.2"),
    leads: "192.0.2.2/",
  },
  {
    what: "an edited record of ours is corrected",
    agreed: OUT,
    change: (ways) => ways.write("www", "192.0.2.99"),
    leads: "192.0.2.1/",
  },
  {
    what: "where both changed, the object has it",
    agreed: OUT,
    change: (ways) => {
      ways.write("www", "192.0.2.99");
      ways.publish("www", "192.0.2.2");
    },
    leads: "192.0.2.2/",
  },
  {
    what: "a deleted object takes its record",
    agreed: OUT,
    change: (ways) => ways.publish("www", null),
    leads: "/",
  },
  {
    what: "a record that is gone is made again, and its object stays",
    agreed: OUT,
    change: (ways) => ways.write("www", null),
    leads: "192.0.2.1/",
  },
  { what: "a record of the zone is imported", change: IN, leads: "192.0.2.7/192.0.2.7" },
  {
    what: "an edited record changes the imported object",
    agreed: IN,
    change: (ways) => ways.write("www", "192.0.2.8"),
    leads: "192.0.2.8/192.0.2.8",
  },
  {
    what: "a hand edit of an imported object is taken back",
    agreed: IN,
    change: (ways) => ways.edit("www", "192.0.2.99"),
    leads: "192.0.2.7/192.0.2.7",
  },
  {
    what: "a released object is its editor's",
    agreed: IN,
    change: (ways) => {
      ways.edit("www", "192.0.2.99", { "zonekeeper.dev/release": "true" });
      ways.write("www", "192.0.2.8");
    },
    leads: "192.0.2.8/192.0.2.99",
  },
  {
    what: "a deleted imported object is made again",
    agreed: IN,
    change: (ways) => ways.drop("www"),
    leads: "192.0.2.7/192.0.2.7",
  },
  {
    what: "a host that is gone takes its object",
    agreed: IN,
    change: (ways) => ways.write("www", null),
    leads: "/",
  },
  {
    what: "a copy of an imported object that lost its origin takes no record of somebody else",
    agreed: IN,
    change: (ways) => ways.publish("www", "192.0.2.7"),
    leads: "192.0.2.7/",
  },
  {
    what: "a zone that cannot be read changes nothing",
    agreed: IN,
    change: (ways) => {
      ways.break(true);
      ways.write("www", null);
    },
    leads: "/192.0.2.7",
  },
  {
    what: "nothing comes of a change while nobody watched but what the table says",
    agreed: (ways) => {
      ways.publish("other", "192.0.2.3");
      return IN(ways);
    },
    change: async (ways) => {
      await ways.stop();
      ways.publish("other", null);
      ways.write("www", "192.0.2.8");
      ways.start();
    },
    leads: "192.0.2.8/192.0.2.8",
  },
];

/** See the head of this file. */
export async function proveBothWays(): Promise<void> {
  for (const { what, agreed, change, leads } of TABLE) {
    const ways = new BothWays().start();
    await ways.pass(MINUTE);
    await agreed?.(ways);
    await ways.pass(SETTLE_MS);
    await change(ways);
    await ways.pass(SETTLE_MS);
    const found = `${ways.inZone("www")}/${ways.inMesh("www")}`;
    demand(found === leads, `${what}: ${found}, not ${leads}`);
    const isOwned = ways.world.values(`a-www.${APEX}`).length > 0;
    demand(!(isOwned && ways.inZone("www") === "192.0.2.7"), `${what}: it is marked as ours`);
    await ways.stop();
  }
  await proveFights();
}

/** Who edits back five times within an hour is left alone, and told of, on either side. */
async function proveFights(): Promise<void> {
  const ways = new BothWays().start();
  await ways.pass(MINUTE);
  ways.publish("out", "192.0.2.1");
  ways.write("in", "192.0.2.7");
  await ways.pass(SETTLE_MS);
  for (let time = 1; time <= 5; time++) {
    ways.write("out", "192.0.2.99");
    ways.edit("in", "192.0.2.99");
    await ways.pass(3 * MINUTE);
    const found = `${ways.inZone("out")}/${ways.inMesh("in")}`;
    const wanted = time < 5 ? "192.0.2.1/192.0.2.7" : "192.0.2.99/192.0.2.99";
    demand(found === wanted, `rivals are fought: ${time} times: ${found}`);
  }
  const events = ways.events();
  demand(/ImportTrouble .*Fighting.*in\.example/.test(events), "a fight is not told");
  demand(!/no annotation is called so/.test(events), "an import asks for annotations");
  const writes = ways.world.cluster.writes.length;
  await ways.pass(20 * MINUTE);
  demand(ways.world.cluster.writes.length === writes, "a fight goes on in silence");
  ways.write("in", "192.0.2.8");
  await ways.pass(MINUTE);
  demand(ways.inMesh("in") === "192.0.2.8", "a change of the zone waits for the end of a fight");
  await ways.pass(90 * MINUTE);
  demand(ways.inZone("out") === "192.0.2.1", "a fight never ends");
  ways.break(true);
  await ways.pass(2 * MINUTE);
  demand(
    /ImportTrouble .*namespace default: .*did not answer/.test(ways.events()),
    "a blind import is silent",
  );
  await ways.stop();
}

/** Labels that users publish, and those that others write to the zone; some may be both. */
const OWN = ["k0", "k1", "k2", "both"];
const FAR = ["f0", "f1"];
const OTHERS = ["z0", "z1", "z2", "z3", "z4", "both"];

/** A day of changes on both sides; what goes wrong, empty = nothing. */
export async function dayTroubles(seed: number, hours = 24): Promise<readonly string[]> {
  const random = new SeededRandom(seed);
  const ways = new BothWays().start();
  const pick = <T>(values: readonly [T, ...T[]]): T =>
    values[Math.floor(random.next() * values.length)] ?? values[0];
  const own = new Map<string, string>();
  const farOwn = new Map<string, string>();
  /** What others wrote where nothing of ours was. */
  const others = new Map<string, string>();
  const troubles: string[] = [];
  const address = () => `192.0.2.${Math.floor(random.next() * 200) + 1}`;
  const isOwned = (label: string): boolean =>
    /heritage/.test(ways.world.values(`a-${label}.${APEX}`).join());
  await ways.pass(MINUTE);
  for (let atMs = 0; atMs < hours * 60 * MINUTE; ) {
    const label = pick(OWN as [string, ...string[]]);
    const other = pick(OTHERS as [string, ...string[]]);
    const value = address();
    const acts: Readonly<Record<string, () => void | Promise<void>>> = {
      publish: () => {
        own.set(label, value);
        ways.publish(label, value);
      },
      delete: () => {
        own.delete(label);
        ways.publish(label, null);
      },
      write: () => {
        if (isOwned(other)) return;
        others.set(other, value);
        ways.write(other, value);
      },
      remove: () => {
        if (!others.delete(other)) return;
        ways.write(other, null);
      },
      drift: () => {
        if (isOwned(label)) ways.write(label, value);
      },
      edit: () => {
        if (ways.imported(other) !== undefined) ways.edit(other, value);
      },
      drop: () => ways.drop(other),
      far: () => {
        const one = pick(FAR as [string, ...string[]]);
        const at = pick([value, null]);
        if (at === null) farOwn.delete(one);
        else farOwn.set(one, at);
        ways.publish(one, at, ways.far);
      },
      restart: () => ways.restart(),
      blind: async () => {
        ways.break(true);
        await ways.pass(pick([MINUTE, 10 * MINUTE]));
        ways.break(false);
      },
    };
    await acts[pick(Object.keys(acts) as [string, ...string[]])]?.();
    const ms = pick([5_000, MINUTE, 10 * MINUTE, 40 * MINUTE]);
    atMs += ms;
    await ways.pass(ms);
    for (const [one, at] of others)
      if (ways.inZone(one) !== at)
        troubles.push(`${seed}: a stranger's ${one} is ${ways.inZone(one)}, not ${at}`);
  }
  await ways.pass(4 * 60 * MINUTE);
  for (const label of new Set([...OWN, ...OTHERS])) {
    const [mine = "", foreign = ""] = [own.get(label), others.get(label)];
    const zone = foreign === "" ? mine : foreign;
    const mesh = mine === "" ? foreign : "";
    const found = `${ways.inZone(label)}/${ways.inMesh(label)}`;
    if (found !== `${zone}/${mesh}`)
      troubles.push(`${seed}: ${label} is ${found}, not ${zone}/${mesh}`);
  }
  const before = ways.world.cluster.writes.length;
  await ways.pass(60 * MINUTE);
  if (ways.world.cluster.writes.length !== before)
    troubles.push(`${seed}: it does not come to rest`);
  await ways.stop();
  return troubles;
}
