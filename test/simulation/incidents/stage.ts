/**
 * Where an incident is told again: a world without chance, in which each act is written out. All
 * invariants of the seeds are checked besides what the incident itself expects.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { CLASS_A } from "../../support/memory-provider/behaviour.ts";
import { Violation } from "../checks/checks.ts";
import { type EntrySpec, wantedByBalancer, wantedBySpec } from "../world/desired-names.ts";
import type { Instance } from "../world/instance.ts";
import { World, type WorldOptions } from "../world/world.ts";

const NAMESPACE = "default";
const NAMES_ANNOTATION = "dns.gardener.cloud/dnsnames";

/** Long enough for every reaction, back-offs included; shorter than a reload. */
export const SOON_MS = 120_000;

/** One incident's world. */
export class Stage {
  readonly world: World;
  readonly instance: Instance;

  /** The process runs at once. */
  constructor(options: Partial<WorldOptions> = {}) {
    // This seed draws one owner and one account.
    this.world = new World({ seed: 1, behaviours: [CLASS_A], isFenced: false, ...options });
    const [instance] = this.world.instances;
    if (instance === undefined) throw new Error("the world has no instance");
    this.instance = instance;
    instance.start();
  }

  /** Somebody applies a DNSEntry, in the first installation or another one. */
  entry(name: string, spec: EntrySpec, where: Instance = this.instance): void {
    const resource = `dnsentry/${NAMESPACE}/${name}`;
    this.world.note(`apply ${resource} ${JSON.stringify(spec)}`);
    const desired = wantedBySpec(resource, spec);
    if (desired === null) throw new Error(`${resource} is broken`);
    where.truth.applied(desired);
    const apiVersion = "dns.gardener.cloud/v1alpha1";
    const metadata = { namespace: NAMESPACE, name };
    where.cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata, spec });
  }

  /** Somebody applies a DNSEntry that lacks something; what is wanted stays what it was. */
  unpredictedEntry(name: string, spec: Readonly<Record<string, unknown>>): void {
    this.world.note(`apply dnsentry/${NAMESPACE}/${name} ${JSON.stringify(spec)}`);
    const apiVersion = "dns.gardener.cloud/v1alpha1";
    const metadata = { namespace: NAMESPACE, name };
    this.instance.cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata, spec });
  }

  /** The status of a DNSEntry as JSON; `null` = it has none. */
  entryStatus(name: string): string {
    const entry = this.instance.cluster.now(DNS_ENTRY, NAMESPACE, name);
    return JSON.stringify(entry?.["status"] ?? null);
  }

  /** Somebody says which zones all DNSProviders serve; empty = all that their accounts have. */
  servedZones(include: readonly string[]): void {
    this.world.note(`dnsproviders include the zones [${include.join()}]`);
    const { cluster } = this.instance;
    for (const provider of cluster.all(DNS_PROVIDER)) {
      const spec = { ...fieldsOf(provider["spec"]), zones: { include } };
      const { resourceVersion: _, ...metadata } = provider.metadata;
      cluster.apply(DNS_PROVIDER, { ...provider, metadata, spec });
    }
  }

  /**
   * A person takes over what another owner has (`zonekeeper transfer --force --yes`); answers the
   * names.
   */
  async transfer(from: string): Promise<readonly string[]> {
    const names = await this.instance.transfer(from);
    this.world.note(`transfer of what ${from} has: ${names.join()}`);
    for (const name of names) this.world.auditor.handedOver.add(name);
    return names;
  }

  /** Somebody deletes a DNSEntry. */
  removeEntry(name: string): void {
    this.world.note(`delete dnsentry/${NAMESPACE}/${name}`);
    this.instance.truth.deleted(`dnsentry/${NAMESPACE}/${name}`);
    this.instance.cluster.delete(DNS_ENTRY, NAMESPACE, name);
  }

  /** Somebody applies a Service with these names; its load balancer has an address. */
  service(name: string, names: readonly string[], address: string): void {
    const resource = `service/${NAMESPACE}/${name}`;
    this.world.note(`apply ${resource} ${names.join(",")} ${address}`);
    this.instance.truth.applied(wantedByBalancer({ resource, names, address, ttlSeconds: null }));
    this.annotate(name, names);
    const status = { loadBalancer: { ingress: [{ ip: address }] } };
    this.instance.cluster.setStatus(SERVICE, NAMESPACE, name, status);
  }

  /** Somebody deletes a Service; its entries go with it. */
  removeService(name: string): void {
    this.world.note(`delete service/${NAMESPACE}/${name}`);
    this.instance.truth.deleted(`service/${NAMESPACE}/${name}`);
    this.instance.cluster.delete(SERVICE, NAMESPACE, name);
  }

  /** Nobody predicts from now on what this Service shows. */
  unpredicted(name: string): void {
    this.instance.truth.unpredictable(`service/${NAMESPACE}/${name}`);
  }

  /** The names on a Service's annotation; the truth is not told. */
  annotate(name: string, names: readonly string[]): void {
    const annotations: Record<string, string> =
      names.length === 0 ? {} : { [NAMES_ANNOTATION]: names.join(",") };
    this.instance.cluster.apply(SERVICE, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace: NAMESPACE, name, annotations },
      spec: { type: "LoadBalancer" },
    });
  }

  /** What a load balancer's controller reports. */
  status(name: string, status: unknown): void {
    this.world.note(`service/${NAMESPACE}/${name} reports ${JSON.stringify(status)}`);
    this.instance.cluster.setStatus(SERVICE, NAMESPACE, name, status);
  }

  /** Somebody else writes a record set, or removes it. */
  byHand(name: string, type: string, values: readonly string[] | null): void {
    const key: RecordSet = {
      ...{ name: trustedDnsName(name), type, setIdentifier: null, ttlSeconds: 60 },
      ...{ values: values ?? [], properties: {}, routingPolicy: null },
    };
    this.world.foreign(`${name} ${type} by hand`, () => {
      const next = values === null ? null : key;
      this.world.zone.content.write([{ key, next }], this.world.clock.monotonicMs());
    });
  }

  /** Values in the zone; empty = there is no such record set. */
  shown(name: string, type: string): readonly string[] {
    const at = this.world.zone.content.at(trustedDnsName(name));
    return at.find((set) => set.type === type)?.values ?? [];
  }

  /**
   * What the record set shows after each write, however short; until what is answered is called.
   */
  onShown(
    [name, type]: readonly [string, string],
    tell: (values: readonly string[]) => void,
  ): () => void {
    this.world.onWritten = () => tell(this.shown(name, type));
    return () => {
      this.world.onWritten = null;
    };
  }

  /** Time goes by; throws what was violated. */
  async pass(forMs: number = SOON_MS): Promise<void> {
    await this.world.clock.advance(forMs);
    if (this.world.auditor.violation !== null) throw this.world.auditor.violation;
  }

  /**
   * Time goes by to the end of the story, whatever is violated meanwhile: `pass` throws it later.
   */
  async passUnjudged(forMs: number = SOON_MS): Promise<void> {
    await this.world.clock.advance(forMs);
  }

  /** The name shows exactly these values. */
  expectShown(
    id: string,
    [name, type]: readonly [string, string],
    values: readonly string[],
  ): void {
    const shown = this.shown(name, type);
    if (shown.join() !== values.join())
      throw new Violation(
        `${id}: ${name} ${type} shows [${shown.join()}] and not [${values.join()}]`,
      );
  }
}
