/**
 * `run` with a DNSProvider of type google-clouddns: members of a routing policy come, change,
 * change their kind and go with kubectl, from DNSEntries and a DNSEndpoint; a fake of Cloud DNS
 * shows the one record set that they are, with their markers.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startGoogle } from "../support/fakes/google/harness.ts";
import type { FakeManagedZone } from "../support/fakes/google/managed-zone.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { object } from "../support/values/cluster-objects.ts";

const FREE = "0 233.252.0.1";

/** Items of the addresses of www, and how many items its markers have: free positions count. */
function shown(zone: FakeManagedZone): { readonly data: string; readonly markers: number } {
  const itemsOf = (name: string, type: string) => {
    const found = zone.sets.find((set) => set.name === name && set.type === type);
    return found?.routingPolicy?.wrr?.items ?? found?.routingPolicy?.geo?.items ?? [];
  };
  const data = itemsOf("www.example.org.", "A").map(
    ({ weight, location, rrdatas }) => `${weight ?? location} ${rrdatas}`,
  );
  return { data: data.join(", "), markers: itemsOf("a-www.example.org.", "TXT").length };
}

describeReal("run and Google Cloud DNS", ["kubectl-1.32"], () => {
  test("members of a routing policy come, change, change their kind and go", async () => {
    const { fake, endpoint, secret } = await startGoogle();
    const zone = fake.addZone("zone-1", "example.org");
    const session = await RunSession.open();
    const { user } = session;
    const become = (...items: readonly string[]): Promise<unknown> =>
      eventually(
        `the items are ${items}`,
        async () => shown(zone),
        ({ data, markers }) => data === items.join(", ") && markers === items.length,
      );
    const spec = (setIdentifier: string, type: string, parameters: object) => ({
      dnsName: "www.example.org",
      targets: [`192.0.2.${type === "weighted" ? setIdentifier : 9}`],
      routingPolicy: { type, setIdentifier, parameters },
    });
    const entry = (name: string, fields: object): Promise<unknown> =>
      user.apply(object("DNSEntry", name, { spec: fields }));
    const message = (name: string): Promise<string> =>
      user.kubectl.ok(["get", "dnse", name, "-o", "jsonpath={.status.state} {.status.message}"]);
    try {
      await user.apply(object("Secret", "google", { stringData: secret }));
      const provider = { type: "google-clouddns", secretRef: { name: "google" } };
      await user.apply(
        object("DNSProvider", "google", { spec: { ...provider, providerConfig: { endpoint } } }),
      );
      await user.apply(readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8"));
      await session.run("group-one", "--controllers", "all,crd");
      await entry("two", spec("2", "weighted", { weight: "10" }));
      await become(FREE, FREE, "10 192.0.2.2");
      await entry("zero", spec("0", "weighted", { weight: "90" }));
      await become("90 192.0.2.0", FREE, "10 192.0.2.2");
      await user.becomes("dnse", "zero", "Ready");
      fake.takeCalls();
      await entry("two", spec("2", "weighted", { weight: "20" }));
      await become("90 192.0.2.0", FREE, "20 192.0.2.2");
      const writes = fake.takeCalls().filter(({ path }) => path.endsWith("/changes"));
      expect(writes, "one change is one call").toHaveLength(1);
      await user.apply(
        object("DNSEndpoint", "one", {
          spec: {
            endpoints: [
              {
                dnsName: "www.example.org",
                recordType: "A",
                targets: ["192.0.2.1"],
                setIdentifier: "1",
                providerSpecific: [{ name: "google-weight", value: "5" }],
              },
            ],
          },
        }),
      );
      await become("90 192.0.2.0", "5 192.0.2.1", "20 192.0.2.2");
      await user.kubectl.ok(["delete", "dnsendpoint", "one"]);
      await become("90 192.0.2.0", FREE, "20 192.0.2.2");
      await entry("blue", spec("blue", "weighted", { weight: "1" }));
      await eventually(
        "a name for a position is refused with its remedy",
        () => message("blue"),
        (text) => /position at Google, 0 to 4; it is blue/.test(text),
      );
      await user.kubectl.ok(["delete", "dnse", "blue"]);
      await entry("three", { ...spec("3", "weighted", { weight: "1" }), ttl: 60 });
      await eventually(
        "another TTL is held",
        () => message("three"),
        (text) => /write 300 for 60, or change all members/.test(text),
      );
      await user.kubectl.ok(["delete", "dnse", "three"]);
      await entry("zero", spec("europe-west1", "geolocation", { location: "europe-west1" }));
      await entry("two", spec("us-east1", "geolocation", { location: "us-east1" }));
      await eventually(
        "both are located",
        async () => shown(zone).data.split(", ").sort().join(", "),
        (text) => text === "europe-west1 192.0.2.9, us-east1 192.0.2.9",
      );
      await user.becomes("dnse", "two", "Ready");
      await user.kubectl.ok(["delete", "dnse", "zero", "two"]);
      await become();
      expect(zone.sets.filter(({ name }) => name.includes("www"))).toEqual([]);
    } finally {
      await session.close();
      await fake.stop();
    }
  });
});
