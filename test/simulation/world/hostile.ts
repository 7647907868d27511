/**
 * Objects of a tenant who means harm (docs/invariants.md#f20, as far as objects can carry
 * it). What becomes of them is not predicted; nothing of anybody else may suffer.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { broken } from "./desired-names.ts";
import type { ActContext } from "./users.ts";

const NAMESPACE = "default";
const MARKER =
  "heritage=external-dns,external-dns/owner=sim,external-dns/resource=dnsentry/default/forged";
const LONG = "x".repeat(64);
const HUGE = 3_000;

/** Names that should not be, or that are somebody's marker. */
const HOSTILE_NAMES = [
  "a-www.example.org",
  "_owner.a.www.example.org",
  "_owner.a._wildcard.w.example.org",
  "www.example.org\n",
  "www..example.org",
  "..",
  "*.*.example.org",
  "-x.example.org",
  `${LONG}.example.org`,
  `${`${"x".repeat(60)}.`.repeat(5)}example.org`,
  "__proto__.example.org",
  "constructor",
  "www.example.org; rm -rf /",
  "www.example.org\u0000.evil.test",
  "ｗｗｗ.example.org",
  "*.example.org",
] as const;

const HOSTILE_SPECS: readonly Readonly<Record<string, unknown>>[] = [
  { text: [MARKER] },
  { text: [`"${MARKER}"`] },
  { text: ['a" "b', "\\", "\u0000", "line\nbreak", "x".repeat(10_000)] },
  { targets: ["192.0.2.1\n192.0.2.2", "999.1.1.1", "::ffff:192.0.2.1"] },
  { targets: Array.from({ length: HUGE }, (_, index) => `10.0.${index >> 8}.${index & 255}`) },
  { targets: ["www.example.org"], ttl: 1e12 },
  { targets: ["192.0.2.9"], ttl: -1 },
  { targets: ["192.0.2.9"], ttl: "60" },
  { targets: "192.0.2.9" },
  { targets: [null, {}, 7] },
  { text: { toString: "x" } },
  {},
];

/** Somebody applies an object of this kind. */
export function applyHostile(context: ActContext): void {
  if (context.world.random.chance(0.7)) applyEntry(context);
  else applyService(context);
}

function applyEntry({ world, instance }: ActContext): void {
  const { random } = world;
  const name = `hostile${random.below(3)}`;
  const present = instance.cluster.now(DNS_ENTRY, NAMESPACE, name);
  if (present?.metadata.deletionTimestamp !== undefined) return;
  const resource = `dnsentry/${NAMESPACE}/${name}`;
  if (present !== null && random.chance(0.3)) {
    world.note(`${instance.owner}: delete ${resource}`);
    instance.truth.deleted(resource);
    instance.cluster.delete(DNS_ENTRY, NAMESPACE, name);
    return;
  }
  const dnsName = random.pick(HOSTILE_NAMES);
  const spec = { dnsName, ...random.pick(HOSTILE_SPECS) };
  world.note(`${instance.owner}: apply ${resource} ${JSON.stringify(spec).slice(0, 200)}`);
  const apiVersion = "dns.gardener.cloud/v1alpha1";
  const metadata = { namespace: NAMESPACE, name };
  instance.cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata, spec });
  unpredicted({ world, instance }, resource, [dnsName]);
}

function applyService({ world, instance }: ActContext): void {
  const { random } = world;
  const name = "hostile-s";
  const resource = `service/${NAMESPACE}/${name}`;
  const names = [random.pick(HOSTILE_NAMES), random.pick(HOSTILE_NAMES)];
  world.note(`${instance.owner}: apply ${resource} ${JSON.stringify(names).slice(0, 200)}`);
  instance.cluster.apply(SERVICE, {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      namespace: NAMESPACE,
      name,
      annotations: {
        "dns.gardener.cloud/dnsnames": random.chance(0.2) ? ",".repeat(HUGE) : names.join(","),
        "dns.gardener.cloud/ttl": random.pick(["60", "1e9", "NaN", "0x10"]),
      },
    },
    spec: { type: "LoadBalancer" },
  });
  const ip = random.pick(["192.0.2.7", "192.0.2.7 ", "::1%eth0", "a".repeat(300)]);
  const ingress = random.pick<unknown>([[{ ip }], [{ hostname: ip }], [null], "x"]);
  instance.cluster.setStatus(SERVICE, NAMESPACE, name, { loadBalancer: { ingress } });
  unpredicted({ world, instance }, resource, names);
}

/** Whatever it once named may stand or not. Full-width letters are letters (UTS #46 §4). */
function unpredicted({ instance }: ActContext, resource: string, given: readonly string[]): void {
  const before = instance.truth.get(resource);
  const names = given.map((name) => name.normalize("NFKC").trim().toLowerCase());
  instance.truth.applied(broken({ resource, names, types: ["A", "AAAA", "CNAME", "TXT"] }, before));
  instance.truth.unpredictable(resource);
}
