/**
 * Properties of providers from each kind of object: a DNSEntry by its annotation, a Service by the
 * entry that is made for it, and what a vendor's fake holds then.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordSet } from "../../src/model/record-set.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { VENDORS, type Vendor } from "../support/fakes/vendors.ts";
import { eventually } from "../support/ports/eventually.ts";
import { UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { object, service } from "../support/values/cluster-objects.ts";

describeReal("dev with properties of vendors", ["kubectl-1.32"], () => {
  let session: UserSession;
  let user: ClusterUser;
  beforeAll(async () => {
    session = await UserSession.start("1.32");
    user = new ClusterUser(session.kubectl);
  });
  afterAll(() => session?.close());

  async function account(type: string, zoneName: string): Promise<Vendor> {
    const vendor = await VENDORS[type]?.(zoneName);
    if (vendor === undefined) throw new Error(`no vendor ${type}`);
    const { secret, providerConfig } = vendor;
    await user.apply(object("Secret", type, { stringData: secret }));
    const spec = { type, secretRef: { name: type }, providerConfig };
    await user.apply(object("DNSProvider", type, { spec }));
    await user.becomes("dnspr", type, "Ready");
    return vendor;
  }

  const entry = (dnsName: string, target: string, properties: object | null): string => {
    const annotations = properties && { "zonekeeper.dev/properties": JSON.stringify(properties) };
    const metadata = annotations === null ? {} : { metadata: { annotations } };
    return object("DNSEntry", "web", { ...metadata, spec: { dnsName, targets: [target] } });
  };

  /** Record sets of the name, markers apart, as `type value {properties}`. */
  const becomes = (
    vendor: Vendor,
    name: string,
    ...wanted: readonly string[]
  ): Promise<unknown> => {
    const shown = ({ type, values, properties }: RecordSet): string =>
      `${type} ${values.join()} ${JSON.stringify(properties)}`;
    const present = async (): Promise<readonly string[]> =>
      (await vendor.sets())
        .filter((set) => set.name === name && set.type !== "TXT")
        .map(shown)
        .sort();
    return eventually(`${name} is ${wanted}`, present, (all) => `${all}` === `${wanted}`);
  };

  test("cloudflare-dns: a DNSEntry and a Service are proxied, and no longer", async () => {
    const vendor = await account("cloudflare-dns", "cf.example");
    try {
      await user.apply(entry("www.cf.example", "192.0.2.1", { proxied: "true" }));
      await becomes(vendor, "www.cf.example", 'A 192.0.2.1 {"proxied":"true"}');
      await user.becomes("dnse", "web", "Ready");
      await user.apply(entry("www.cf.example", "192.0.2.1", null));
      await becomes(vendor, "www.cf.example", "A 192.0.2.1 {}");
      const annotations = { "zonekeeper.dev/properties": '{"proxied":"true"}' };
      await user.apply(service("shop", "shop.cf.example", { annotations }));
      await user.balance("service", "shop", "192.0.2.7");
      await becomes(vendor, "shop.cf.example", 'A 192.0.2.7 {"proxied":"true"}');
      await user.delete("service", "shop");
      await becomes(vendor, "shop.cf.example");
      await user.apply(entry("www.cf.example", "192.0.2.1", { proxied: "yes" }));
      await user.becomes("dnse", "web", "Stale", /proxied must be true or false/);
      await user.delete("dnse", "web");
    } finally {
      await user.delete("dnspr", "cloudflare-dns");
      await vendor.stop();
    }
  });

  test("aws-route53: a DNSEntry is an alias of both kinds of addresses", async () => {
    const vendor = await account("aws-route53", "aws.example");
    const alias = { alias: "true", evaluateTargetHealth: "true" };
    const shown = JSON.stringify(alias);
    try {
      await user.apply(entry("www.aws.example", "lb.aws.example", alias));
      await becomes(
        vendor,
        "www.aws.example",
        `A lb.aws.example ${shown}`,
        `AAAA lb.aws.example ${shown}`,
      );
      await user.becomes("dnse", "web", "Ready");
      await user.apply(entry("www.aws.example", "lb.aws.example", null));
      await becomes(vendor, "www.aws.example", "CNAME lb.aws.example {}");
      await user.delete("dnse", "web");
      expect((await vendor.sets()).some(({ name }) => name.includes("www"))).toBe(false);
    } finally {
      await user.delete("dnspr", "aws-route53");
      await vendor.stop();
    }
  });
});
