/**
 * What Zonekeeper makes of worlds: the whole program in one process, on a cluster and a zone in
 * memory, with the arguments that external-dns has.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";
import { rulesByFlags } from "../values/external-dns-flags.ts";
import { programWorld } from "../worlds/program-world.ts";
import type { Endpoint, Placed } from "./worlds.ts";

/** Sources and flags of both programs. */
export const SOURCES = ["service", "ingress", "crd"] as const;

const RUNS_MAX = 20;

/** The zone that is left when `objects` were edited into `edited` while the program ran. */
export async function leftByUs(
  zone: readonly Endpoint[],
  objects: readonly Placed[],
  edited: readonly Placed[] | null = null,
): Promise<readonly Endpoint[]> {
  const world = programWorld({
    sources: EXTERNAL_DNS_SOURCES,
    controllers: ["compound", ...SOURCES],
  });
  const sets = zone.map(toSet);
  world.content.write(sets.map((next) => ({ key: next, next })));
  put(world.cluster, objects);
  const running = world.start("direct", {
    publish: { anyNamespace: true, externalDns: rulesByFlags(...SOURCES.map((one) => `--source=${one}`)) },
  });
  const settle = async (): Promise<void> => {
    for (let run = 0; run < RUNS_MAX; run++) {
      await world.clock.advance(120_000);
      const held = running.zones().flatMap(({ heldSets }) => heldSets);
      if (held.length === 0) return;
      for (const { hash } of held) await running.approve(hash);
    }
    throw new Error("the program asks for ever more approvals");
  };
  await settle();
  if (edited !== null) {
    const kept = new Set(edited.map(textOf));
    for (const one of objects)
      if (!kept.has(textOf(one)))
        world.cluster.delete(one.kind, one.object.metadata.namespace ?? "", one.object.metadata.name);
    put(world.cluster, edited);
    await settle();
  }
  if (process.env["DBG"]) console.log(JSON.stringify(await running.explain(trustedDnsName(process.env["DBG"])), null, 1).slice(0, 6000), running.zones());
  await running.stop();
  return world.content.all().map(({ name, type, values, ttlSeconds, setIdentifier }) => ({
    ...{ dnsName: name, recordType: type, targets: values, recordTTL: ttlSeconds },
    ...(setIdentifier === null ? {} : { setIdentifier }),
  }));
}

type Cluster = ReturnType<typeof programWorld>["cluster"];

function put(cluster: Cluster, objects: readonly Placed[]): void {
  for (const { kind, object } of objects) {
    const { namespace = "", name } = object.metadata;
    if (namespace !== "" && cluster.now(NAMESPACE, "", namespace) === null)
      cluster.apply(NAMESPACE, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    cluster.apply(kind, object);
    if (object["status"] !== undefined) cluster.setStatus(kind, namespace, name, object["status"]);
  }
}

function textOf({ kind, object: { metadata } }: Placed): string {
  return `${kind.kind}/${metadata.namespace ?? ""}/${metadata.name}`;
}

function toSet({ dnsName, recordType, targets, recordTTL = 0, setIdentifier }: Endpoint): RecordSet {
  return {
    ...{ name: trustedDnsName(dnsName), type: recordType, values: [...targets].sort() },
    ...{ ttlSeconds: recordTTL === 0 ? 300 : recordTTL, setIdentifier: setIdentifier ?? null },
    ...{ properties: {}, routingPolicy: null },
  };
}
