/**
 * `run` with a DNSProvider of type cloudflare-dns: an entry is created, changed, retyped and
 * deleted with kubectl, a DNSEndpoint is proxied, and a fake of Cloudflare shows what arrives.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLOUDFLARE_SECRET, makeFake, setsIn } from "../support/fakes/cloudflare/harness.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { object } from "../support/values/cluster-objects.ts";

describeReal("run and Cloudflare", ["kubectl-1.32"], () => {
  test("an entry is created, changed, retyped and deleted, an endpoint proxied", async () => {
    const fake = makeFake();
    const endpoint = await fake.start();
    const zone = fake.addZone("023e105f4ecef8ad9ca31a8372d0c353", "example.org");
    fake.addZone("023e105f4ecef8ad9ca31a8372d0c354", "example.org").type = "internal";
    const session = await RunSession.open();
    const { user } = session;
    /** Data of the name; markers apart. */
    const published = (): string =>
      setsIn(zone)
        .filter(({ name, type }) => name === "www.example.org" && type !== "TXT")
        .map(({ type, values }) => `${type} ${values.join(" ")}`)
        .join(", ");
    const becomes = (text: string): Promise<string> =>
      eventually(
        `www.example.org is ${text}`,
        async () => published(),
        (one) => one === text,
      );
    const entry = (...targets: readonly string[]): Promise<unknown> =>
      user.apply(
        object("DNSEntry", "www", { spec: { dnsName: "www.example.org", targets, ttl: 120 } }),
      );
    try {
      await user.apply(object("Secret", "cloudflare", { stringData: CLOUDFLARE_SECRET }));
      const providerConfig = { endpoint, zoneType: "public" };
      const spec = { type: "cloudflare-dns", secretRef: { name: "cloudflare" }, providerConfig };
      await user.apply(object("DNSProvider", "cloudflare", { spec }));
      await user.apply(readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8"));
      await session.run("group-one", "--controllers", "all,crd");
      const state = "jsonpath={.status.state} {.status.message}";
      await eventually(
        "the DNSProvider is ready",
        () => user.kubectl.ok(["get", "dnspr", "cloudflare", "-o", state]),
        (text) => text === "Ready provider operational",
      );
      await entry("192.0.2.1");
      await becomes("A 192.0.2.1");
      await user.kubectl.ok([
        "wait",
        "dnse/www",
        "--for=jsonpath={.status.state}=Ready",
        "--timeout=20s",
      ]);
      fake.takeCalls();
      await entry("192.0.2.2");
      await becomes("A 192.0.2.2");
      const calls = fake.takeCalls().filter(({ path }) => path.includes("/dns_records"));
      expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
      const reads = calls.filter(({ method }) => method === "GET");
      expect(reads.length, "it is read by name, before and after").toBeLessThanOrEqual(2);
      expect(reads.filter(({ path }) => !path.includes("name.e"))).toEqual([]);
      await entry("lb.example.com");
      await becomes("CNAME lb.example.com");
      await user.kubectl.ok(["delete", "dnse", "www"]);
      await becomes("");
      const property = "external-dns.alpha.kubernetes.io/cloudflare-proxied";
      const shop = {
        dnsName: "shop.example.org",
        recordType: "A",
        targets: ["192.0.2.3"],
        providerSpecific: [{ name: property, value: "true" }],
      };
      await user.apply(object("DNSEndpoint", "shop", { spec: { endpoints: [shop] } }));
      await eventually(
        "shop.example.org is proxied",
        async () => zone.records.find(({ name }) => name === "shop.example.org"),
        (record) => record?.proxied === true && record.ttl === 1,
      );
    } finally {
      await session.close();
      await fake.stop();
    }
  });
});
