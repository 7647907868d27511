/**
 * `zonekeeper dev` with a DNSProvider of a vendor: it becomes Ready, and a DNSEntry is created,
 * changed, retyped and deleted with kubectl. The vendor's fake, or the server itself, shows what
 * arrives.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { VENDORS } from "../support/fakes/vendors.ts";
import { eventually } from "../support/ports/eventually.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { object } from "../support/values/cluster-objects.ts";

const OPENSTACK = "openstack-designate";
const ETCD = "coredns-etcd";
/** A fake and a server of its own; with the others the whole story differs in conversion only. */
const FIRST = ["aws-route53", "rfc2136"];
const OTHERS = Object.keys(VENDORS).filter((type) => ![OPENSTACK, ETCD, ...FIRST].includes(type));
describeReal("dev with DNSProviders", ["kubectl-1.32", "bind", "dig"], () => vendorCases(FIRST));
describeReal("dev with other DNSProviders", ["kubectl-1.32", "powerdns", "dig", "variants"], () =>
  vendorCases(OTHERS),
);
describeReal("dev and etcd", ["kubectl-1.32", "etcd", "variants"], () => vendorCases([ETCD]));
describeReal("dev and OpenStack", ["kubectl-1.32", "openstack", "dig"], () =>
  vendorCases([OPENSTACK]),
);

function vendorCases(types: readonly string[]): void {
  let session: UserSession;
  let user: ClusterUser;
  beforeAll(async () => {
    session = await UserSession.start("1.32");
    user = new ClusterUser(session.kubectl);
  });
  afterAll(() => session?.close());

  test.each(types)("%s", async (type) => {
    const zoneName = `${type}.example`;
    const dnsName = `www.${zoneName}`;
    const vendor = await VENDORS[type]?.(zoneName);
    if (vendor === undefined) throw new Error(`no vendor ${type}`);
    const { secret, providerConfig } = vendor;
    /** Data of the name; markers apart. */
    const published = async (): Promise<string> => {
      const sets = (await vendor.sets()).filter(
        (set) => set.name === dnsName && set.type !== "TXT",
      );
      const types = [...new Set(sets.map(({ type: one }) => one))];
      const values = sets.flatMap((set) => set.values).sort();
      return [...types, ...values].join(" ");
    };
    const becomes = (text: string): Promise<string> =>
      eventually(`${dnsName} is ${text}`, published, (one) => one === text);
    const target = (...targets: readonly string[]): Promise<string> =>
      user.apply(dnsEntry("vendor", dnsName, "ttl: 120", `targets: [${targets.join(", ")}]`));
    try {
      await user.apply(object("Secret", type, { stringData: secret }));
      const spec = { type, secretRef: { name: type }, providerConfig };
      await user.apply(object("DNSProvider", type, { spec }));
      await user.becomes("dnspr", type, "Ready");
      await target("192.0.2.1");
      await becomes("A 192.0.2.1");
      await user.becomes("dnse", "vendor", "Ready");
      await target("192.0.2.2", "192.0.2.3");
      await becomes("A 192.0.2.2 192.0.2.3");
      await target("lb.example.com");
      await becomes("CNAME lb.example.com");
      await user.becomes("dnse", "vendor", "Ready");
      await user.delete("dnse", "vendor");
      expect(await published(), "it is removed before its entry is gone").toBe("");
      const markers = (await vendor.sets()).filter(
        ({ name, type: kind }) => kind === "TXT" && !name.includes("_zonekeeper-fence"),
      );
      expect(markers, "its markers are gone with it").toEqual([]);
    } finally {
      await user.delete("dnspr", type);
      await vendor.stop();
    }
  });
}
