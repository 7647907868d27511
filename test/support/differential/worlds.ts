/**
 * Random small clusters with a zone, as an external-dns may meet them: each world has two
 * namespaces and a domain of its own, so that many of them fit into one cluster and one zone. Equal
 * seeds give equal worlds; who changes what they give records new answers (record-answers).
 */
import { ENDPOINT_SLICE, INGRESS, NODE, POD, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENDPOINT } from "../../../src/model/kinds.ts";
import { SeededRandom } from "../ports/test-ports.ts";

/** The zone of all worlds. */
export const ZONE = "example.org";
/** Kinds of their objects, those that others name first. */
export const KINDS: readonly KindRef[] = [
  NODE,
  POD,
  ENDPOINT_SLICE,
  SERVICE,
  INGRESS,
  DNS_ENDPOINT,
];

/** A record set as providers of external-dns have it. */
export interface Endpoint {
  readonly dnsName: string;
  readonly recordType: string;
  readonly targets: readonly string[];
  /** Seconds; 0 and absent = the provider's default. */
  readonly recordTTL?: number;
  readonly setIdentifier?: string;
}

/** One object, with its status. */
export interface Located {
  readonly kind: KindRef;
  readonly object: KubeObject;
}

/** A world, before and after a few edits. */
export interface World {
  readonly domain: string;
  readonly before: readonly Located[];
  readonly after: readonly Located[];
  /** What others have at its names. */
  readonly zone: readonly Endpoint[];
}

const PREFIX = "external-dns.kubernetes.io/";
const LABELS = ["a", "b", "c", "*.w"];
const ADDRESSES = [
  "192.0.2.1",
  "192.0.2.2",
  "192.0.2.10",
  "198.51.100.7",
  "2001:db8::1",
  "2001:db8::2",
];
const HOSTS = ["lb1.example.net", "lb2.example.net"];
const TTLS = ["60", "300", "60", "300", "2m", "1h", "60", "300", "0", "soon"];

/** Nodes of all worlds. */
export const NODES: readonly Located[] = [1, 2].map((at) => ({
  kind: NODE,
  object: {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name: `n${at}` }, spec: {} },
    status: {
      addresses: [
        { type: "ExternalIP", address: `203.0.113.${at}` },
        { type: "InternalIP", address: `10.0.0.${at}` },
      ],
    },
  },
}));

/** The world of a seed. */
export function worldOf(seed: number): World {
  return new Maker(seed).world();
}

class Maker {
  readonly #random: SeededRandom;
  readonly #seed: number;
  readonly #domain: string;

  constructor(seed: number) {
    this.#seed = seed;
    this.#domain = `w${seed}.${ZONE}`;
    this.#random = new SeededRandom(seed * 7_919 + 17);
    for (let at = 0; at < 5; at++) this.#random.next();
  }

  world(): World {
    const count = 1 + this.#below(4);
    const objects = Array.from({ length: count }, (_, at) => this.#objects(at));
    const edited = objects.flatMap((one, at) => {
      const luck = this.#random.next();
      if (luck < 0.25) return [];
      return [luck < 0.6 ? one : this.#objects(at)];
    });
    if (this.#chance(0.4)) edited.push(this.#objects(count));
    const zone = this.#chance(0.3) ? this.#others() : [];
    return { domain: this.#domain, before: objects.flat(), after: edited.flat(), zone };
  }

  #below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  #chance(part: number): boolean {
    return this.#random.next() < part;
  }

  #pick<T>(from: readonly T[]): T {
    const one = from[this.#below(from.length)];
    if (one === undefined) throw new Error("nothing to choose from");
    return one;
  }

  #some<T>(from: readonly T[], most: number): readonly T[] {
    const count = 1 + this.#below(most);
    return [...new Set(Array.from({ length: count }, () => this.#pick(from)))];
  }

  #names(most = 2): readonly string[] {
    return this.#some(LABELS, most).map((label) => `${label}.${this.#domain}`);
  }

  #targets(): readonly string[] {
    return this.#chance(0.75) ? this.#some(ADDRESSES, 3) : [this.#pick(HOSTS)];
  }

  /** What a load balancer reports; it may have nothing yet. */
  #balanced() {
    if (this.#chance(0.1)) return { loadBalancer: {} };
    const ingress = this.#targets().map((one) =>
      HOSTS.includes(one) ? { hostname: one } : { ip: one },
    );
    return { loadBalancer: { ingress } };
  }

  #metadata(name: string, annotations: Readonly<Record<string, string>>) {
    const all: Record<string, string> = {};
    for (const [key, value] of Object.entries(annotations)) all[`${PREFIX}${key}`] = value;
    if (this.#chance(0.3)) all[`${PREFIX}ttl`] = this.#pick(TTLS);
    if (this.#chance(0.15)) all[`${PREFIX}target`] = this.#targets().join(",");
    if (this.#chance(0.05)) all[`${PREFIX}controller`] = "other";
    const namespace = `${this.#chance(0.8) ? "w" : "v"}${this.#seed}`;
    return { name, namespace, annotations: all };
  }

  #objects(at: number): readonly Located[] {
    const luck = this.#random.next();
    if (luck < 0.5) return this.#service(`s${at}`);
    return [luck < 0.8 ? this.#ingress(`i${at}`) : this.#endpoints(`e${at}`)];
  }

  #service(name: string): readonly Located[] {
    const type = this.#pick([
      "LoadBalancer",
      "LoadBalancer",
      "LoadBalancer",
      "ClusterIP",
      "ExternalName",
      "NodePort",
      "Headless",
    ]);
    // A Pod's name below a wildcard is no name.
    const isHeadless = type === "Headless";
    const of = (most: number) =>
      this.#names(most).filter((one) => !isHeadless || !one.includes("*"));
    const names = {
      ...(this.#chance(0.9) ? { hostname: of(2).join(this.#pick([",", ", "])) } : {}),
      ...(this.#chance(0.15) ? { "internal-hostname": of(1).join() } : {}),
    };
    const annotations =
      type === "NodePort" && this.#chance(0.5)
        ? { ...names, access: this.#pick(["public", "private"]) }
        : names;
    const metadata = this.#metadata(name, annotations);
    const clusterIP = `10.9.${this.#seed % 250}.${1 + this.#below(250)}`;
    const port = { name: "http", port: 80, protocol: "TCP" };
    const base = { apiVersion: "v1", kind: "Service", metadata };
    const made = (spec: object, status: object = { loadBalancer: {} }): Located => ({
      kind: SERVICE,
      object: { ...base, spec, status },
    });
    const external = this.#chance(0.15) ? { externalIPs: this.#some(ADDRESSES, 2) } : {};
    switch (type) {
      case "LoadBalancer":
        return [made({ type, clusterIP, ports: [port], ...external }, this.#balanced())];
      case "ExternalName":
        return [made({ type, externalName: this.#pick([...HOSTS, "192.0.2.9"]), ...external })];
      case "NodePort":
        return [made({ type, clusterIP, ports: [{ ...port, nodePort: 30_080 }] })];
      case "Headless":
        return this.#headless(
          made({ type: "ClusterIP", clusterIP: "None", ports: [port], selector: { app: name } }),
        );
      default:
        return [made({ type, clusterIP, ports: [port], ...external })];
    }
  }

  /** With its Pods, of which one may not be ready. */
  #headless(service: Located): readonly Located[] {
    const { name, namespace = "" } = service.object.metadata;
    const pods = Array.from({ length: 1 + this.#below(2) }, (_, at): KubeObject => {
      const spec = {
        nodeName: "n1",
        containers: [{ name: "c", image: "c" }],
        ...(this.#chance(0.5) ? { hostname: `p${at}` } : {}),
      };
      const metadata = { name: `${name}-${at}`, namespace, labels: { app: name } };
      return { apiVersion: "v1", kind: "Pod", metadata, spec, status: { hostIP: "10.0.0.1" } };
    });
    const endpoints = pods.map(({ metadata }, at) => ({
      addresses: [`10.1.${at}.${1 + this.#below(200)}`],
      conditions: { ready: !this.#chance(0.2) },
      targetRef: { kind: "Pod", name: metadata.name, namespace },
    }));
    const labels = { "kubernetes.io/service-name": name };
    const slice: KubeObject = {
      ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4" },
      ...{ metadata: { name: `${name}-x`, namespace, labels }, endpoints },
    };
    return [
      ...pods.map((object): Located => ({ kind: POD, object })),
      { kind: ENDPOINT_SLICE, object: slice },
      service,
    ];
  }

  #ingress(name: string): Located {
    const names = {
      ...(this.#chance(0.25) ? { hostname: this.#names().join() } : {}),
      ...(this.#chance(0.1)
        ? { "ingress-hostname-source": this.#pick(["annotation-only", "defined-hosts-only"]) }
        : {}),
    };
    const tls = this.#chance(0.3) ? { tls: [{ hosts: this.#names() }] } : {};
    const backend = { service: { name: "web", port: { number: 80 } } };
    const http = { paths: [{ path: "/", pathType: "Prefix", backend }] };
    const rules = this.#names().map((host) => ({ host, http }));
    const object: KubeObject = {
      ...{ apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
      metadata: this.#metadata(name, names),
      spec: { rules, ...tls },
      status: this.#balanced(),
    };
    return { kind: INGRESS, object };
  }

  #endpoints(name: string): Located {
    const endpoints = Array.from({ length: 1 + this.#below(2) }, () => {
      const recordType = this.#pick(["A", "A", "AAAA", "CNAME", "TXT"]);
      const ttl = this.#chance(0.4) ? { recordTTL: this.#pick([60, 120, 300]) } : {};
      const targets: Readonly<Record<string, readonly string[]>> = {
        A: this.#some(
          ADDRESSES.filter((one) => !one.includes(":")),
          2,
        ),
        AAAA: this.#some(
          ADDRESSES.filter((one) => one.includes(":")),
          2,
        ),
        CNAME: [this.#pick(HOSTS)],
        TXT: ["hello"],
      };
      return {
        dnsName: this.#names(1).join(),
        recordType,
        targets: targets[recordType] ?? [],
        ...ttl,
      };
    });
    const { annotations: _, ...metadata } = this.#metadata(name, {});
    const object = {
      apiVersion: "externaldns.k8s.io/v1alpha1",
      kind: "DNSEndpoint",
      metadata,
      spec: { endpoints },
    };
    return { kind: DNS_ENDPOINT, object };
  }

  /** A record of nobody, of another owner, or of actual that is for an object that there is not. */
  #others(): readonly Endpoint[] {
    const dnsName = `${this.#pick(["a", "b", "c"])}.${this.#domain}`;
    const recordType = this.#pick(["A", "AAAA", "CNAME"]);
    const value = { A: "192.0.2.99", AAAA: "2001:db8::99", CNAME: "old.example.net" }[recordType];
    const record = { dnsName, recordType, targets: [value ?? ""], recordTTL: 300 };
    const owner = this.#pick([null, "other", "me"]);
    if (owner === null) return [record];
    const text = `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/w${this.#seed}/gone"`;
    const marker = {
      dnsName: `${recordType.toLowerCase()}-${dnsName}`,
      recordType: "TXT",
      targets: [text],
    };
    return [record, { ...marker, recordTTL: 300 }];
  }
}
