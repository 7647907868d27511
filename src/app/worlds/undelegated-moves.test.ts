/** A zone below, of another DNSProvider, takes a name that is not delegated to it (Z-18). */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const SUB = "sub.example.org";
const HELD = `www.${SUB} is published in ${SUB}, and example.org does not delegate it there, so that resolvers find the record of example.org, which stays as it is: add the NS records of ${SUB} to example.org, or exclude ${SUB} by spec.domains.exclude of its DNSProvider`;

test("Z-18 an entry in both zones says so, and goes back when the zone below is excluded", async () => {
  const { start, cluster, clock, secondZone } = programWorld({ controllers: ["compound"] });
  const rest = () => clock.advance(60_000);
  secondZone(SUB);
  cluster.apply(SECRET, objectOf("v1", "Secret", "q", {}));
  const below = (more: object = {}) => {
    const spec = { type: "second", secretRef: { name: "q" }, zones: { include: ["2"] }, ...more };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "q", { spec }));
  };
  const status = () => fieldsOf(cluster.now(DNS_ENTRY, "default", "web")?.["status"]);
  const spec = { dnsName: `www.${SUB}`, targets: ["192.0.2.1"] };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "web", { spec }));
  const running = start();
  await rest();
  below();
  await rest();
  const message = `dns entry active; its former record www.${SUB} is held: ${HELD}`;
  expect(status()).toMatchObject({ state: "Stale", zone: "example.org", message });
  const holds = running.zones().flatMap(({ open }) => open.flatMap((plan) => plan.holds));
  expect(holds).toMatchObject([{ code: "MovedUndelegated", message: HELD }]);
  below({ domains: { exclude: [SUB] } });
  await rest();
  // The only record of a zone goes with a person's approval.
  const hash = /zonekeeper approve (\w+)/.exec(String(status()["message"]))?.[1] ?? "";
  await running.approve(hash);
  await rest();
  expect(status()).toMatchObject({ state: "Ready", zone: "example.org" });
  expect(running.zones().map(({ zone, ownedNames }) => [zone.name, ownedNames])).toEqual([
    [SUB, 0],
    ["example.org", 1],
  ]);
  await running.stop();
});
