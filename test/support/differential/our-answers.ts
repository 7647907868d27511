/**
 * Zonekeeper in worlds: the whole program in one process, on a cluster and a zone in
 * memory, with the arguments that external-dns has.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";
import { rulesByFlags } from "../values/external-dns-flags.ts";
import { programWorld } from "../worlds/program-world.ts";
import type { Located } from "./objects.ts";
import { type Endpoint, idOf } from "./worlds.ts";

/** Sources of both programs. */
export const SOURCES = [
  ...["service", "ingress", "crd", "gateway-httproute"],
  ...["istio-gateway", "istio-virtualservice"],
];

/** What these flags say. */
export const RULES = rulesByFlags(...SOURCES.map((one) => `--source=${one}`));

const APPROVALS_MAX = 20;
const SETTLED_MS = 30_000;

/** The zone after each of the states of the cluster, between which a user edits objects. */
export async function leftByUs(
  zone: readonly Endpoint[],
  states: readonly (readonly Located[])[],
): Promise<readonly (readonly Endpoint[])[]> {
  const world = programWorld({
    sources: EXTERNAL_DNS_SOURCES,
    controllers: ["compound", ...SOURCES],
  });
  const { clock, cluster, content } = world;
  content.write(zone.map(toSet).map((next) => ({ key: next, next })));
  put(cluster, [], states[0] ?? []);
  const running = world.start("direct", { publish: { anyNamespace: true, externalDns: RULES } });
  const left: (readonly Endpoint[])[] = [];
  for (const [at, state] of states.entries()) {
    if (at > 0) put(cluster, states[at - 1] ?? [], state);
    for (let asked = 0; ; asked++) {
      await clock.advance(SETTLED_MS);
      const held = running.zones().flatMap(({ heldSets }) => heldSets);
      if (held.length === 0) break;
      if (asked === APPROVALS_MAX) throw new Error("there is no end of approvals");
      for (const { hash } of held) await running.approve(hash);
    }
    left.push(content.all().map(toEndpoint));
  }
  await running.stop();
  return left;
}

type Cluster = ReturnType<typeof programWorld>["cluster"];

function put(cluster: Cluster, before: readonly Located[], now: readonly Located[]): void {
  const kept = new Set(now.map(idOf));
  const known = new Set(before);
  for (const { kind, object } of before.filter((one) => !kept.has(idOf(one))))
    cluster.delete(kind, object.metadata.namespace ?? "", object.metadata.name);
  for (const one of now) {
    if (known.has(one)) continue;
    const { kind, object } = one;
    const { namespace = "", name } = object.metadata;
    if (namespace !== "" && cluster.now(NAMESPACE, "", namespace) === null)
      cluster.apply(NAMESPACE, {
        ...{ apiVersion: "v1", kind: "Namespace" },
        metadata: { name: namespace },
      });
    cluster.apply(kind, object);
    if (object["status"] !== undefined) cluster.setStatus(kind, namespace, name, object["status"]);
  }
}

function toSet({
  dnsName,
  recordType,
  targets,
  recordTTL = 0,
  setIdentifier,
}: Endpoint): RecordSet {
  return {
    ...{ name: trustedDnsName(dnsName), type: recordType, values: [...targets].sort() },
    ...{ ttlSeconds: recordTTL === 0 ? 300 : recordTTL, setIdentifier: setIdentifier ?? null },
    ...{ properties: {}, routingPolicy: null },
  };
}

function toEndpoint({ name, type, values, ttlSeconds }: RecordSet): Endpoint {
  return { dnsName: name, recordType: type, targets: values, recordTTL: ttlSeconds };
}
