/** Two processes that see one zone differently do not write over each other's statuses for ever. */
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT, DNS_PROVIDER } from "../../model/kinds.ts";

const MINUTE = 60_000;

test("two processes on objects of a zone that cannot be read leave each other's statuses", async () => {
  const { cluster, clock, start, breakWith } = programWorld({ controllers: ["compound", "crd"] });
  const endpoints = [{ dnsName: "far.example.org", recordType: "A", targets: ["192.0.2.2"] }];
  const fields = { spec: { endpoints }, metadata: { generation: 1 } };
  const far = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "far", fields);
  cluster.apply(DNS_ENDPOINT, far);
  const writesOf = (kind: string): number =>
    cluster.writes.filter((text) => text.startsWith(`write ${kind}`)).length;
  const running = [start(), start()];
  await clock.advance(MINUTE);
  breakWith({ ...NO_FAULTS, read: () => [{ kind: "down" as const }] });
  await clock.advance(60 * MINUTE);
  expect(cluster.all(DNS_PROVIDER)[0]?.["status"]).toMatchObject({ state: "Error" });
  for (const kind of ["dnsproviders", "dnsendpoints"]) expect(writesOf(kind)).toBeLessThan(12);
  breakWith(NO_FAULTS);
  await clock.advance(20 * MINUTE);
  expect(cluster.all(DNS_PROVIDER)[0]?.["status"]).toMatchObject({ state: "Ready" });
  const status = { conditions: [{ status: "False" }, { type: "Ready", status: "True" }] };
  expect(cluster.all(DNS_ENDPOINT)[0]?.["status"]).toMatchObject(status);
  await Promise.all(running.map((one) => one.stop()));
});
