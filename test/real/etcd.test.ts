/**
 * coredns-etcd on a real etcd: the conformance suite, read back key by key; users with a role for
 * one zone; the order of keys that sort between a name and what is below it.
 */
import { expect, test } from "vitest";
import { providerConformance } from "../conformance/provider.ts";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  soon,
  zoneOf,
} from "../conformance/provider-harness.ts";
import { etcdHarness } from "../support/fakes/coredns/etcd-harness.ts";
import { openCoreDns, setsIn } from "../support/fakes/coredns/harness.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { type Etcd, startEtcd } from "../support/real-servers/etcd.ts";

describeReal("etcd", ["etcd"], () => {
  providerConformance(
    "coredns-etcd",
    { atomicity: "zone", preconditions: true, apex: [], refusesEmptyText: true, lacksMail: true },
    etcdHarness,
  );

  test("a user whose role is for one zone writes there, and is told what it may not", async () => {
    const etcd = await startEtcd();
    const secret = { Username: "dns", Password: "pass word" };
    const open = (zone: string) => openCoreDns(etcd.url, { secret, config: { zones: [zone] } });
    const [session, other] = [open("example.org"), open("example.net")];
    try {
      await addUser(etcd, "/skydns/org/example");
      await mustApply(session, [create(recordSet("www.example.org", "A", "192.0.2.1"))]);
      const set = recordSet("www.example.net", "A", "192.0.2.1");
      const error: unknown = await applyOnce(other, [create(set)]).catch((one: unknown) => one);
      expect(error).toMatchObject({ code: "ProviderCredentials" });
      expect(String(error)).toMatch(/permission denied/);
      const zone = await zoneOf(session);
      expect((await session.records(zone, null, soon())).sets).toHaveLength(1);
    } finally {
      session.close();
      other.close();
      await etcd.stop();
    }
  });

  test("names that sort between a name and what is below it are no business of it", async () => {
    const etcd = await startEtcd();
    const session = openCoreDns(etcd.url);
    try {
      await etcd.put("/skydns/org/example/www-2/x", '{"host":"192.0.2.9","targetstrip":1}');
      await etcd.put("/skydns/org/example/www/sub/x", '{"host":"192.0.2.8","targetstrip":1}');
      await mustApply(session, [create(recordSet("www.example.org", "A", "192.0.2.1"))]);
      const sets = setsIn(await etcd.keys()).map(({ name, values }) => `${name} ${values}`);
      expect(sets.sort()).toEqual([
        "sub.www.example.org 192.0.2.8",
        "www-2.example.org 192.0.2.9",
        "www.example.org 192.0.2.1",
      ]);
    } finally {
      session.close();
      await etcd.stop();
    }
  });
});

/** `dns` may read and write below `prefix`; after it etcd asks everybody who they are. */
async function addUser(etcd: Etcd, prefix: string): Promise<void> {
  const root = { name: "root", password: "root-password" };
  await etcd.call("/v3/auth/user/add", root);
  await etcd.call("/v3/auth/role/add", { name: "root" });
  await etcd.call("/v3/auth/user/grant", { user: "root", role: "root" });
  await etcd.call("/v3/auth/user/add", { name: "dns", password: "pass word" });
  await etcd.call("/v3/auth/role/add", { name: "zone" });
  const perm = { permType: "READWRITE", key: btoa(prefix), range_end: btoa(`${prefix}0`) };
  await etcd.call("/v3/auth/role/grant", { name: "zone", perm });
  await etcd.call("/v3/auth/user/grant", { user: "dns", role: "zone" });
  await etcd.call("/v3/auth/enable", {});
}
