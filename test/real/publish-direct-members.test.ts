/**
 * `--publish direct` on vendors' fakes, without any DNSEntry: Services that are members of a
 * routing policy or have properties by their annotations, and DNSEndpoints with `setIdentifier` and
 * `providerSpecific`. What the vendor holds judges.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordSet } from "../../src/model/record-set.ts";
import { VENDORS, type Vendor } from "../support/fakes/vendors.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { object, service } from "../support/values/cluster-objects.ts";

const ENDPOINTS = readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8");

describeReal("--publish direct with members and properties", ["kubectl-1.32"], () => {
  let session: RunSession;
  const vendors: Vendor[] = [];
  beforeAll(async () => {
    session = await RunSession.open();
    await session.user.apply(ENDPOINTS);
    await session.run("group-one", "--publish", "direct", "--controllers", "all,crd");
  });
  afterAll(async () => {
    await session?.close();
    for (const vendor of vendors) await vendor.stop();
  });

  async function account(type: string, zoneName: string): Promise<Vendor> {
    const vendor = await VENDORS[type]?.(zoneName);
    if (vendor === undefined) throw new Error(`no vendor ${type}`);
    vendors.push(vendor);
    const { secret, providerConfig } = vendor;
    await session.user.apply(object("Secret", type, { stringData: secret }));
    const spec = { type, secretRef: { name: type }, providerConfig };
    await session.user.apply(object("DNSProvider", type, { spec }));
    await session.user.becomes("dnspr", type, "Ready");
    return vendor;
  }

  /** A Service that has its address; `what` becomes JSON of the annotation. */
  async function serve(
    name: string,
    dnsName: string,
    [annotation, what]: readonly [string, object],
    address: string,
  ): Promise<void> {
    const annotations = { [annotation]: JSON.stringify(what) };
    await session.user.apply(service(name, dnsName, { annotations }));
    await session.user.balance("service", name, address);
  }
  const weighted = (setIdentifier: string, weight: string) =>
    [
      "dns.gardener.cloud/routing-policy",
      { type: "weighted", setIdentifier, parameters: { weight } },
    ] as const;
  const endpoint = (name: string, fields: object): Promise<unknown> =>
    session.user.apply(object("DNSEndpoint", name, { spec: { endpoints: [fields] } }));
  const specific = (properties: Readonly<Record<string, string>>) => ({
    providerSpecific: Object.entries(properties).map(([name, value]) => ({ name, value })),
  });

  const shown = (set: RecordSet): string =>
    [
      set.setIdentifier ?? "-",
      set.type,
      ...set.values,
      ...Object.values(set.routingPolicy?.parameters ?? {}),
      ...Object.keys(set.properties),
    ].join(" ");
  /** Data of the name. Each has its marker, and none has more. */
  function become(vendor: Vendor, name: string, ...wanted: readonly string[]): Promise<unknown> {
    const present = async () => {
      const sets = (await vendor.sets()).filter((set) => set.name.endsWith(name));
      const markers = sets.filter(({ type }) => type === "TXT");
      return {
        data: sets
          .filter((set) => set.name === name)
          .map(shown)
          .sort(),
        markers,
      };
    };
    return eventually(
      `${name} is ${wanted.join(", ")}`,
      present,
      ({ data, markers }) => `${data}` === `${wanted}` && markers.length === wanted.length,
    );
  }

  test.each([
    ["aws-route53", "aws.example", { one: "blue", two: "green" }],
    ["google-clouddns", "gcp.example", { one: "0", two: "1" }],
  ])(
    "%s: two Services are members of one name, change and go",
    async (type, zone, { one, two }) => {
      const vendor = await account(type, zone);
      const name = `www.${zone}`;
      await serve(`${type}-one`, name, weighted(one, "10"), "192.0.2.1");
      await serve(`${type}-two`, name, weighted(two, "90"), "192.0.2.2");
      await become(vendor, name, `${one} A 192.0.2.1 10`, `${two} A 192.0.2.2 90`);
      await serve(`${type}-one`, name, weighted(one, "20"), "192.0.2.3");
      await become(vendor, name, `${one} A 192.0.2.3 20`, `${two} A 192.0.2.2 90`);
      await session.user.delete("service", `${type}-two`);
      await become(vendor, name, `${one} A 192.0.2.3 20`);
      await session.user.delete("service", `${type}-one`);
      await become(vendor, name);
    },
  );

  test.each([
    ["aws-route53", "aws.example", "blue", "aws/weight"],
    ["google-clouddns", "gcp.example", "0", "google-weight"],
  ])("%s: a DNSEndpoint is a member", async (type, zone, setIdentifier, property) => {
    const vendor = vendors.at(type === "aws-route53" ? 0 : 1);
    if (vendor === undefined) throw new Error("the vendor runs");
    const name = `end.${zone}`;
    const fields = { dnsName: name, recordType: "A", targets: ["192.0.2.4"], setIdentifier };
    await endpoint(type, { ...fields, ...specific({ [property]: "30" }) });
    await become(vendor, name, `${setIdentifier} A 192.0.2.4 30`);
    await endpoint(type, { ...fields, ...specific({ [property]: "40" }) });
    await become(vendor, name, `${setIdentifier} A 192.0.2.4 40`);
    await session.user.delete("dnsendpoint", type);
    await become(vendor, name);
  });

  test("aws-route53: a DNSEndpoint is an alias", async () => {
    const [vendor] = vendors;
    if (vendor === undefined) throw new Error("the vendor runs");
    const fields = { dnsName: "alias.aws.example", recordType: "A", targets: ["lb.aws.example"] };
    await endpoint("alias", { ...fields, ...specific({ alias: "true" }) });
    await become(vendor, "alias.aws.example", "- A lb.aws.example alias");
    await session.user.delete("dnsendpoint", "alias");
    await become(vendor, "alias.aws.example");
  });

  test("cloudflare-dns: a Service and a DNSEndpoint are proxied, and no longer", async () => {
    const vendor = await account("cloudflare-dns", "cf.example");
    const proxied = "external-dns.alpha.kubernetes.io/cloudflare-proxied";
    const shop = ["shop", "shop.cf.example"] as const;
    await serve(...shop, ["zonekeeper.dev/properties", { proxied: "true" }], "192.0.2.5");
    await become(vendor, "shop.cf.example", "- A 192.0.2.5 proxied");
    await serve(...shop, ["zonekeeper.dev/properties", { proxied: "false" }], "192.0.2.5");
    await become(vendor, "shop.cf.example", "- A 192.0.2.5");
    const fields = { dnsName: "end.cf.example", recordType: "A", targets: ["192.0.2.6"] };
    await endpoint("proxied", { ...fields, ...specific({ [proxied]: "true" }) });
    await become(vendor, "end.cf.example", "- A 192.0.2.6 proxied");
    await endpoint("proxied", fields);
    await become(vendor, "end.cf.example", "- A 192.0.2.6");
    await session.user.delete("dnsendpoint", "proxied");
    await become(vendor, "end.cf.example");
  });

  test("no DNSEntry was made, and no other record stays", async () => {
    expect(await session.user.kubectl.ok(["get", "dnse", "-o", "name"])).toBe("");
    const [route53] = vendors;
    const names = (await route53?.sets())?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => /www|end|alias/.test(name))).toEqual([]);
  });
});
