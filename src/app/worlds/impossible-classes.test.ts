/** A class that no process can have: whoever wrote it is told, on each kind of object. */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT, DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";

const CLASS = "dns.gardener.cloud/class";
const NAMES = "dns.gardener.cloud/dnsnames";

test.each<[KindRef, object]>([
  [DNS_ENTRY, { dnsName: "www.example.org", targets: ["192.0.2.1"] }],
  [DNS_PROVIDER, { type: "memory", secretRef: { name: "s" } }],
  [DNS_OWNER, { ownerId: "shop" }],
  [
    DNS_ENDPOINT,
    { endpoints: [{ dnsName: "www.example.org", recordType: "A", targets: ["192.0.2.1"] }] },
  ],
  [SERVICE, { type: "LoadBalancer" }],
  [INGRESS, { rules: [{ host: "www.example.org" }] }],
])("$kind", async (kind, spec) => {
  const { cluster, clock, start, values } = programWorld({
    controllers: ["compound", "service-dns", "ingress-dns", "crd"],
  });
  const put = (name: string, dnsClass: string) => {
    const annotations = { [NAMES]: "www.example.org", [CLASS]: dnsClass };
    const metadata = { annotations, ...(kind.namespaced ? {} : { namespace: undefined }) };
    cluster.apply(kind, objectOf(apiVersionOf(kind), kind.kind, name, { metadata, spec }));
  };
  put("mine", "Garden");
  put("others", "garden");
  const running = start();
  await clock.advance(60_000);
  put("late", "GARDEN");
  await clock.advance(60_000);
  const events = cluster.events.filter(({ note }) => /is no class/.test(note.message));
  expect(events.map(({ object, note }) => [object.split("/").at(-1), note.type])).toEqual([
    ["mine", "Warning"],
    ["late", "Warning"],
  ]);
  for (const { note } of events)
    expect(note.message).toMatch(
      /metadata\.annotations\[dns\.gardener\.cloud\/class\].*write lower-case|write lower-case.*metadata\.annotations/,
    );
  expect(values("www.example.org")).toEqual([]);
  await running.stop();
});
