/** Names, targets and annotations of random worlds: equal seeds give equal ones. */
import { SeededRandom } from "../ports/test-ports.ts";

/** The zone of all worlds. */
export const ZONE = "example.org";

/** Of all annotations here. */
export const PREFIX = "external-dns.kubernetes.io/";
const LABELS = ["a", "b", "c", "*.w"];
/** Of both families. */
export const ADDRESSES = [
  "192.0.2.1",
  "192.0.2.2",
  "192.0.2.10",
  "198.51.100.7",
  "2001:db8::1",
  "2001:db8::2",
];
/** Host names as load balancers have them. */
export const HOSTS = ["lb1.example.net", "lb2.example.net"];
const TTLS = ["60", "300", "60", "300", "2m", "1h", "60", "300", "0", "soon"];

/** The chance of one world, with its names. */
export class Chance {
  readonly seed: number;
  /** All its names are in it. */
  readonly domain: string;
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.seed = seed;
    this.domain = `w${seed}.${ZONE}`;
    this.#random = new SeededRandom(seed * 7_919 + 17);
    for (let at = 0; at < 5; at++) this.#random.next();
  }

  /** At least 0, below 1. */
  luck(): number {
    return this.#random.next();
  }

  below(count: number): number {
    return Math.floor(this.luck() * count);
  }

  happens(part: number): boolean {
    return this.luck() < part;
  }

  pick<T>(from: readonly T[]): T {
    const one = from[this.below(from.length)];
    if (one === undefined) throw new Error("nothing to choose from");
    return one;
  }

  some<T>(from: readonly T[], most: number): readonly T[] {
    const count = 1 + this.below(most);
    return [...new Set(Array.from({ length: count }, () => this.pick(from)))];
  }

  names(most = 2): readonly string[] {
    return this.some(LABELS, most).map((label) => `${label}.${this.domain}`);
  }

  targets(): readonly string[] {
    return this.happens(0.75) ? this.some(ADDRESSES, 3) : [this.pick(HOSTS)];
  }

  /** What a load balancer reports; it may have nothing yet. */
  balanced() {
    if (this.happens(0.1)) return { loadBalancer: {} };
    const ingress = this.targets().map((one) =>
      HOSTS.includes(one) ? { hostname: one } : { ip: one },
    );
    return { loadBalancer: { ingress } };
  }

  metadata(name: string, annotations: Readonly<Record<string, string>>) {
    const all = prefixed(annotations);
    if (this.happens(0.3)) all[`${PREFIX}ttl`] = this.pick(TTLS);
    if (this.happens(0.15)) all[`${PREFIX}target`] = this.targets().join(",");
    if (this.happens(0.05)) all[`${PREFIX}controller`] = "other";
    const namespace = `${this.happens(0.8) ? "w" : "v"}${this.seed}`;
    return { name, namespace, annotations: all };
  }
}

/** As objects have them. */
export function prefixed(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`${PREFIX}${key}`, value]),
  );
}
