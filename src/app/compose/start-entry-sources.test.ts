/** The controllers of DNSAnnotations, one for each cluster with annotated objects. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { MemoryQueues } from "../../../test/support/worlds/memory-queue.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { DNS_ANNOTATION, DNS_ENDPOINT } from "../../model/kinds.ts";
import { openSource } from "../../sources/index.ts";
import { startAnnotations } from "./start-entry-sources.ts";

const KEYS = { "dns.gardener.cloud/owner-id": "shop" };

test("DNSEndpoints are annotated in source and target cluster, Services in the source cluster", async () => {
  const clock = new VirtualClock();
  const open = (id: string) => {
    const cluster = new MemoryCluster(id, () => clock.nowMs());
    return { cluster, access: { view: cluster, writer: cluster, recorder: cluster } };
  };
  const [source, target] = [open("c1"), open("c2")];
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
  const controllers = startAnnotations(
    {
      ...{ sourceClusters: [source.access], target: target.access, sourceClasses: DEFAULT_CLASSES },
      entrySources: [openSource("service-dns", options)],
      zoneSources: [openSource("crd", options)],
      environment: { log: new MemoryLog() },
      startQueue: new MemoryQueues(clock).start,
    },
    null,
  );
  const annotated = ({ cluster }: typeof source, kind: KindRef) => {
    const apiVersion = apiVersionOf(kind);
    const name = kind.kind.toLowerCase();
    cluster.apply(kind, objectOf(apiVersion, kind.kind, name, {}));
    const resourceRef = { apiVersion, kind: kind.kind, name };
    const spec = { resourceRef, annotations: KEYS };
    cluster.apply(
      DNS_ANNOTATION,
      objectOf(apiVersionOf(DNS_ANNOTATION), "DNSAnnotation", name, { spec }),
    );
    return () => cluster.now(DNS_ANNOTATION, "default", name)?.["status"];
  };
  const inSource = [annotated(source, SERVICE), annotated(source, DNS_ENDPOINT)];
  const inTarget = [annotated(target, SERVICE), annotated(target, DNS_ENDPOINT)];
  await clock.advance(5_000);
  expect(inSource.map((status) => status())).toEqual([{ active: true }, { active: true }]);
  expect(inTarget.map((status) => status())).toEqual([undefined, { active: true }]);
  for (const controller of controllers) await controller.stop();
});
