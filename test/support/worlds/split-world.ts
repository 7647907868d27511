/**
 * The sources of a shoot in one process and the DNSEntries of its seed in another, which knows
 * nothing of the shoot: as Gardener's users run them. On `program-world.ts`.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { MemoryCluster } from "./memory-cluster.ts";
import { objectOf, type ProcessBorder, programWorld } from "./program-world.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const SHOOT = "11111111-1111-4111-8111-111111111111";
const SEED = "22222222-2222-4222-8222-222222222222";
const OTHER_SHOOT = "33333333-3333-4333-8333-333333333333";

/**
 * Names are given as labels below example.org. Services of another namespace than `default` have
 * their entries there all the same, which is known to the process of the shoot alone.
 */
export function splitWorld(namespace = "default") {
  const made = programWorld({ clusterId: SEED });
  const { clock, cluster: seed, start } = made;
  const now = () => clock.nowMs();
  const [shoot, otherShoot] = [new MemoryCluster(SHOOT, now), new MemoryCluster(OTHER_SHOOT, now)];
  const inSeed = { targetNamespace: namespace === "default" ? null : "default" };
  const labels = new Set<string>();
  const service = (name: string, label: string, ips: readonly string[], at = shoot): void => {
    labels.add(label);
    const annotations = { [NAMES]: `${label}.example.org` };
    const fields = { metadata: { namespace, annotations }, spec: { type: "LoadBalancer" } };
    at.apply(SERVICE, objectOf("v1", "Service", name, fields));
    const ingress = ips.map((ip) => ({ ip }));
    at.setStatus(SERVICE, namespace, name, { loadBalancer: { ingress } });
  };
  const answers = (label: string): readonly string[] => {
    const values = made.values(`${label}.example.org`).filter((value) => !value.includes("="));
    return values.length === 0 ? [] : [`${label} ${values.join(" ")}`];
  };
  return {
    ...{ ...made, seed, shoot, otherShoot, service },
    sources: (source = shoot) =>
      start(undefined, { runs: ["service-dns"], source, target: seed, publish: inSeed }),
    /** `border` as of `program-world.ts`. */
    controllers: (border?: ProcessBorder) =>
      start(undefined, {
        ...{ runs: ["compound"], source: seed, target: seed },
        ...(border === undefined ? {} : { border }),
      }),
    whole: () => start(undefined, { source: shoot, target: seed }),
    /** Longer than anything but the hour of Z-19. */
    rest: () => clock.advance(60_000),
    entries: () => seed.all(DNS_ENTRY).map(({ metadata }) => metadata.name),
    /** The entry of a Service of that name; empty = none. */
    entryOf: (name: string): string =>
      seed.all(DNS_ENTRY).find(({ metadata }) => metadata.name.startsWith(`${name}-service-`))
        ?.metadata.name ?? "",
    deleteEntry: (name: string) => seed.delete(DNS_ENTRY, "default", name),
    /** As kubectl does it, whose name stays at the spec. */
    editEntry: (name: string, fields: object) =>
      seed.patch(
        { kind: DNS_ENTRY, namespace: "default", name },
        {
          metadata: { specManagers: ["kubectl-edit"] },
          ...fields,
        },
      ),
    deleteService: (name: string) => shoot.delete(SERVICE, namespace, name),
    /** `label value…` for each name that ever had a Service, or was given. */
    addresses: (...more: readonly string[]) => [...labels, ...more].flatMap(answers),
  };
}
