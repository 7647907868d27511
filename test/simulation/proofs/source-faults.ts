/**
 * Faults of what a source sees, such as emptied external-dns 0.22 in many clusters: DNSEndpoints
 * that are listed as none, objects without their annotations, the annotation `target` under the
 * other prefix, private addresses. Users go on meanwhile, and processes end. Nothing goes that an
 * object of the API lists, and nothing is answered that no object ever asked for. Throws at the
 * first rule that is broken; no test framework, so that mutants can be bundled.
 */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KindRef, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENDPOINT, GATEWAY, HTTP_ROUTE } from "../../../src/model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";
import { rulesByFlags } from "../../support/values/external-dns-flags.ts";
import { type Lens, LensView } from "../../support/worlds/lens-view.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { SimRandom } from "../world/sim-random.ts";
import { demand } from "./demand.ts";

const GA = "external-dns.kubernetes.io/";
const ALPHA = "external-dns.alpha.kubernetes.io/";
const FILTER = { "example.com/filter": "yes" };
const PUBLIC = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
const PRIVATE = ["10.0.0.1", "192.168.1.1", "100.64.0.1"];
const TARGETS = ["198.51.100.1", "lb.example.net"];
const PARENT = { name: "public" };
const KINDS = { service: SERVICE, ingress: INGRESS, crd: DNS_ENDPOINT, route: HTTP_ROUTE };
type Kind = keyof typeof KINDS;
const TURNS = 24;
const STEP_MS = 500;

const unannotated = (object: KubeObject): KubeObject => {
  const { annotations: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};
const ofKind =
  (of: KindRef, seen: (object: KubeObject) => KubeObject | null): Lens =>
  (kind, object) =>
    kind.kind === of.kind ? seen(object) : object;

/** A fault: what the source sees then, and what its process is started with. */
interface SourceFault {
  readonly title: string;
  readonly lens?: Lens;
  readonly flags?: readonly string[];
  /** Beside those, for a process that begins while it lasts. */
  readonly flagsThen?: readonly string[];
  /** Addresses that load balancers get while it lasts. */
  readonly addresses?: readonly string[];
}

/** By what went wrong in 0.22; the numbers are those of its issues. */
export const SOURCE_FAULTS = {
  "crd-listed-as-none": {
    title: "the cache of DNSEndpoints watches no namespace, and lists none",
    lens: ofKind(DNS_ENDPOINT, () => null),
  },
  "crd-filter-6728": {
    title: "DNSEndpoints come without the annotations that --annotation-filter looks at",
    lens: ofKind(DNS_ENDPOINT, unannotated),
    flags: ["--annotation-filter=example.com/filter=yes"],
  },
  "annotations-6424": {
    title: "no annotation of Services is seen any more",
    lens: ofKind(SERVICE, unannotated),
  },
  "target-6748": {
    title: "the annotation target is under the other prefix than the one that is read",
    flagsThen: ["--annotation-prefix=external-dns.kubernetes.io/"],
  },
  "private-address": {
    title: "load balancers get private addresses in a public zone",
    addresses: PRIVATE,
  },
} satisfies Readonly<Record<string, SourceFault>>;
/** Key of a fault. */
export type FaultName = keyof typeof SOURCE_FAULTS;

function specOf(kind: Kind, names: readonly string[], address: string): object {
  if (kind === "service") return { type: "LoadBalancer" };
  if (kind === "ingress") return { rules: names.map((host) => ({ host })) };
  if (kind === "route") return { parentRefs: [PARENT], hostnames: names };
  const targets = [address];
  return { endpoints: names.map((dnsName) => ({ dnsName, recordType: "A", targets })) };
}

/** Plays a story, and answers how often the fault struck. */
export async function playSourceFault(name: FaultName, seed: number): Promise<number> {
  const story = new Story(SOURCE_FAULTS[name], new SimRandom(seed));
  try {
    return await story.play();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}, seed ${seed}: ${reason}\n${story.diary.slice(-40).join("\n")}`);
  }
}

/** An object of the API; without a value its names keep what they have. */
interface Made {
  readonly names: readonly string[];
  readonly target: string | null;
  readonly address: string | null;
}

class Story {
  readonly diary: string[] = [];
  readonly #fault: SourceFault;
  readonly #random: SimRandom;
  readonly #world = programWorld({
    sources: EXTERNAL_DNS_SOURCES,
    controllers: ["compound", "service", "ingress", "crd", "gateway-httproute"],
    visibility: "public",
  });
  readonly #made = new Map<string, Made>();
  /** All that a name was ever meant to answer. */
  readonly #legal = new Map<string, Set<string>>();
  /** Names that were answered, and that an object has listed ever since. */
  readonly #kept = new Set<string>();
  #gateway: Pick<Made, "target" | "address"> = { target: null, address: null };
  #addresses = PUBLIC;
  #view: LensView;
  #process: { readonly stop: () => Promise<void> };

  constructor(fault: SourceFault, random: SimRandom) {
    this.#fault = fault;
    this.#random = random;
    [this.#view, this.#process] = this.#begun(false);
  }

  async play(): Promise<number> {
    let strikes = 0;
    let isStruck = false;
    for (let turn = 0; turn < TURNS; turn++) {
      if (this.#random.chance(isStruck ? 0.4 : 0.2)) {
        isStruck = !isStruck;
        if (isStruck) strikes += 1;
        await this.#turn(isStruck);
      }
      if (this.#random.chance(0.8)) this.#act();
      await this.#pass(1_000 + this.#random.below(15_000));
    }
    await this.#turn(false);
    for (const kind of ["service", "ingress", "crd", "route"] as const)
      for (const index of [0, 1]) this.#apply(kind, index);
    this.#applyGateway();
    await this.#pass(300_000);
    for (const [id, made] of this.#made)
      for (const name of made.names) this.#demandValue("L1", name, this.#valueOf(id, made) ?? "");
    await this.#process.stop();
    return strikes;
  }

  /** The fault begins or ends, with a process that begins, or in the middle of one. */
  async #turn(isStruck: boolean): Promise<void> {
    const isRestart = this.#fault.flagsThen !== undefined || this.#random.chance(0.5);
    this.#note(`the fault ${isStruck ? "begins" : "ends"}${isRestart ? ", a process too" : ""}`);
    this.#addresses = isStruck ? [...PUBLIC, ...(this.#fault.addresses ?? [])] : PUBLIC;
    if (isRestart) {
      await this.#process.stop();
      [this.#view, this.#process] = this.#begun(isStruck);
    } else this.#view.replaceLens(this.#lensOf(isStruck));
  }

  #lensOf(isStruck: boolean): Lens | null {
    return isStruck ? (this.#fault.lens ?? null) : null;
  }

  #begun(isStruck: boolean): readonly [LensView, { readonly stop: () => Promise<void> }] {
    const { cluster, clock } = this.#world;
    const view = new LensView(cluster, this.#lensOf(isStruck));
    const { flags = [], flagsThen = [] } = this.#fault;
    const access = () => ({ view, writer: cluster, recorder: cluster });
    const border = { clock, access, provider: <T>(type: T): T => type };
    const externalDns = rulesByFlags(...flags, ...(isStruck ? flagsThen : []));
    // As the program has it: other rules are another configuration for the fuse (Z-16).
    const version = JSON.stringify(externalDns);
    return [view, this.#world.start("direct", { border, publish: { externalDns }, version })];
  }

  #act(): void {
    const random = this.#random;
    const kind = random.pick(["service", "ingress", "crd", "route", "gateway", "delete", "status"]);
    const index = random.below(2);
    if (kind === "gateway") this.#applyGateway();
    else if (kind === "delete")
      this.#delete(random.pick(["service", "ingress", "crd", "route"]), index);
    else if (kind === "status") this.#emptyStatus(random.pick(["service", "ingress"]), index);
    else this.#apply(kind as Kind, index);
  }

  #apply(kind: Kind, index: number): void {
    const { cluster } = this.#world;
    const random = this.#random;
    const name = `${kind}${index}`;
    const both = ["a", "b"].map((label) => `${label}.${name}.example.org`);
    const names = random.pick([both, both.slice(0, 1), both.slice(1)]);
    const address = random.pick(kind === "crd" ? PUBLIC : this.#addresses);
    const target = kind === "ingress" && random.chance(0.5) ? random.pick(TARGETS) : null;
    const prefix = random.pick([GA, ALPHA]);
    const annotations = {
      ...FILTER,
      ...(kind === "service" ? { [`${prefix}hostname`]: names.join(",") } : {}),
      ...this.#targeted(target),
    };
    this.#note(`apply ${name} ${names.join()} ${target ?? address}`);
    cluster.apply(KINDS[kind], {
      ...objectOf(apiVersionOf(KINDS[kind]), KINDS[kind].kind, name, { metadata: {} }),
      metadata: { namespace: "default", name, annotations },
      spec: specOf(kind, names, address),
    });
    if (kind === "route") {
      const conditions = [{ type: "Accepted", status: "True" }];
      cluster.setStatus(HTTP_ROUTE, "default", name, {
        parents: [{ parentRef: PARENT, conditions }],
      });
    } else if (kind !== "crd") this.#balance(kind, name, address);
    this.#made.set(name, { names, target, address });
    this.#meant();
  }

  /** Users move it from one prefix to the other, or write both. */
  #targeted(target: string | null): Readonly<Record<string, string>> {
    if (target === null) return {};
    const prefixes = this.#random.pick([[GA], [ALPHA], [GA, ALPHA]]);
    return Object.fromEntries(prefixes.map((prefix) => [`${prefix}target`, target]));
  }

  #applyGateway(): void {
    const { cluster } = this.#world;
    const target = this.#random.chance(0.5) ? this.#random.pick(TARGETS) : null;
    const address = this.#random.pick(this.#addresses);
    this.#note(`apply the Gateway ${target ?? address}`);
    const spec = { listeners: [{ name: "web", port: 80, protocol: "HTTP" }] };
    const metadata = {
      namespace: "default",
      name: PARENT.name,
      annotations: this.#targeted(target),
    };
    const object = {
      ...objectOf(apiVersionOf(GATEWAY), GATEWAY.kind, PARENT.name, { spec }),
      metadata,
    };
    cluster.apply(GATEWAY, object);
    cluster.setStatus(GATEWAY, "default", PARENT.name, { addresses: [{ value: address }] });
    this.#gateway = { target, address };
    this.#meant();
  }

  #balance(kind: "service" | "ingress", name: string, ip: string | null): void {
    const ingress = ip === null ? [] : [{ ip }];
    this.#world.cluster.setStatus(KINDS[kind], "default", name, { loadBalancer: { ingress } });
  }

  #emptyStatus(kind: "service" | "ingress", index: number): void {
    const name = `${kind}${index}`;
    const made = this.#made.get(name);
    if (made === undefined) return;
    this.#note(`${name} loses its status`);
    this.#balance(kind, name, null);
    this.#made.set(name, { ...made, address: null });
  }

  #delete(kind: Kind, index: number): void {
    const name = `${kind}${index}`;
    this.#note(`delete ${name}`);
    this.#world.cluster.delete(KINDS[kind], "default", name);
    this.#made.delete(name);
    this.#meant();
  }

  /** Notes what names may answer from now on, and which of them nobody lists any more. */
  #meant(): void {
    for (const [id, made] of this.#made)
      for (const name of made.names) {
        const legal = this.#legal.get(name) ?? new Set();
        this.#legal.set(name, legal.add(this.#valueOf(id, made) ?? ""));
      }
    const listed = new Set([...this.#made.values()].flatMap(({ names }) => names));
    for (const name of this.#kept) if (!listed.has(name)) this.#kept.delete(name);
  }

  /** Null = it keeps what it has. */
  #valueOf(id: string, { target, address }: Made): string | null {
    const own = id.startsWith("route") ? this.#gateway : { target, address };
    if (own.target !== null) return own.target;
    return own.address === null || PRIVATE.includes(own.address) ? null : own.address;
  }

  async #pass(forMs: number): Promise<void> {
    for (let passed = 0; passed < forMs; passed += STEP_MS) {
      await this.#world.clock.advance(STEP_MS);
      for (const [name, legal] of this.#legal) {
        const answer = this.#world.values(name).join();
        demand(answer === "" || legal.has(answer), `S2: ${name} answers ${answer}`);
        const isListed = [...this.#made.values()].some(({ names }) => names.includes(name));
        if (answer !== "" && isListed) this.#kept.add(name);
        demand(answer !== "" || !this.#kept.has(name), `S3: ${name} is gone`);
      }
    }
  }

  #demandValue(id: string, name: string, value: string): void {
    const answer = this.#world.values(name).join();
    demand(answer === value, `${id}: ${name} answers ${answer}, not ${value}`);
  }

  #note(line: string): void {
    this.diary.push(`${this.#world.clock.monotonicMs()} ${line}`);
  }
}
