/**
 * Plays the load balancer of `dev`: Services of type LoadBalancer and Ingresses get an address in
 * their status. It writes nothing but that status, and forwards no traffic.
 */
import { isIP } from "node:net";
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type {
  ClusterWriter,
  EventRecorder,
  ObjectRef,
} from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";

/** Everything that the load balancer works with. */
export interface LoadBalancerOptions {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly events: EventRecorder;
  readonly startQueue: StartQueue;
}

const KINDS = [SERVICE, INGRESS];

/** Gives no address before all objects are known, so that none is given twice. */
export class LoadBalancer {
  readonly #options: LoadBalancerOptions;
  readonly #pool = new AddressPool();
  readonly #queue: WorkQueue;
  readonly #stops: readonly (() => void)[];
  /** Keys of objects for which no address was free. */
  readonly #waiting = new Set<string>();

  constructor(options: LoadBalancerOptions) {
    this.#options = options;
    this.#queue = options.startQueue({
      name: "dev-load-balancer",
      reconcile: (key) => this.#reconcile(key),
    });
    this.#stops = KINDS.map((kind) =>
      options.view.subscribe(kind, {
        onChange: (change) => this.#onChange(change),
        onState: () => this.#addAll(),
      }),
    );
  }

  /** Stops giving addresses; what was given stays. */
  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#queue.stop();
  }

  #onChange({ type, kind, object }: ObjectChange): void {
    const key = queueKey(kind, object);
    if (type === "deleted") {
      this.#free(key);
      return;
    }
    const shown = addressIn(object);
    if (shown !== null) this.#pool.note(key, shown);
    this.#queue.add(key);
  }

  #addAll(): void {
    if (!this.#allKnown()) return;
    for (const kind of KINDS) {
      const objects = this.#options.view.list(kind);
      if (objects.state !== "value") continue;
      for (const object of objects.value) this.#queue.add(queueKey(kind, object));
    }
  }

  #allKnown(): boolean {
    return KINDS.every((kind) => this.#options.view.state(kind) === "live");
  }

  #free(key: string): void {
    this.#pool.release(key);
    this.#waiting.delete(key);
    for (const other of this.#waiting) this.#queue.add(other);
  }

  async #reconcile(key: string): Promise<void> {
    if (!this.#allKnown()) return;
    const [kind = "", namespace = "", name = ""] = key.split("/");
    const ref = { kind: kind === kindText(INGRESS) ? INGRESS : SERVICE, namespace, name };
    const found = this.#options.view.get(ref.kind, ref.namespace, ref.name);
    if (found.state !== "value" || found.value.metadata.deletionTimestamp !== undefined) return;
    const object = found.value;
    if (!(ref.kind === INGRESS || fieldsOf(object["spec"])["type"] === "LoadBalancer")) {
      this.#free(key);
      if (ingressOf(object).length > 0) await this.#write(ref, []);
      return;
    }
    const address = this.#choose(key, object);
    if (address === null) this.#reportExhausted(key, object);
    else if (addressIn(object) !== address) await this.#write(ref, [{ ip: address }]);
  }

  #choose(key: string, object: KubeObject): string | null {
    this.#waiting.delete(key);
    const requested = textOf(fieldsOf(object["spec"])["loadBalancerIP"]);
    if (requested === null || isIP(requested) === 0) return this.#pool.take(key);
    this.#pool.note(key, requested);
    return requested;
  }

  #reportExhausted(key: string, object: KubeObject): void {
    this.#waiting.add(key);
    this.#options.events.record(object, {
      type: "Warning",
      reason: "NoAddress",
      message:
        "all addresses of 192.0.2.0/24 are in use; delete a Service or an Ingress, or set spec.loadBalancerIP",
    });
  }

  async #write(ref: ObjectRef, ingress: readonly { readonly ip: string }[]): Promise<void> {
    await this.#options.writer.patchStatus(ref, { status: { loadBalancer: { ingress } } });
  }
}

function ingressOf(object: KubeObject): readonly unknown[] {
  return listOf(fieldsOf(fieldsOf(object["status"])["loadBalancer"])["ingress"]) ?? [];
}

/** The first address in the status; null = none. */
function addressIn(object: KubeObject): string | null {
  return textOf(fieldsOf(ingressOf(object)[0])["ip"]);
}

function queueKey(kind: KindRef, object: KubeObject): string {
  return `${kindText(kind)}/${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

/** First three octets of TEST-NET-1 (RFC 5737 §3). */
const PREFIX = "192.0.2.";
const FIRST = 1;
const LAST = 254;

/** Addresses in use, by holder. A holder keeps its address until it releases it. */
export class AddressPool {
  readonly #byHolder = new Map<string, string>();
  readonly #holders = new Map<string, Set<string>>();

  /**
   * Notes an address that the holder's status shows; several holders may show one that users chose
   * themselves.
   */
  note(holder: string, address: string): void {
    if (this.#byHolder.get(holder) === address) return;
    this.release(holder);
    this.#byHolder.set(holder, address);
    const holders = this.#holders.get(address) ?? new Set();
    this.#holders.set(address, holders.add(holder));
  }

  /** The holder's address, or the lowest free one; null = all 254 are taken. */
  take(holder: string): string | null {
    const present = this.#byHolder.get(holder);
    if (present !== undefined) return present;
    for (let host = FIRST; host <= LAST; host++) {
      const address = `${PREFIX}${host}`;
      if (this.#holders.has(address)) continue;
      this.note(holder, address);
      return address;
    }
    return null;
  }

  /** The holder's address can be given to others. */
  release(holder: string): void {
    const address = this.#byHolder.get(holder);
    if (address === undefined) return;
    this.#byHolder.delete(holder);
    const holders = this.#holders.get(address);
    holders?.delete(holder);
    if (holders?.size === 0) this.#holders.delete(address);
  }
}
