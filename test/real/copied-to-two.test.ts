/**
 * Two processes copy the DNSEntries of one cluster to two others, each published in a zone of its
 * own. All names answer all the time; where the copies differ the original shows one of them, each
 * process tells of its own, and few writes are made.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import { eventually } from "../support/ports/eventually.ts";
import { TRIES_MAX, writesOf } from "../support/programs/count-writes.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

describeOnBoth("copies of one DNSEntry in two clusters", ["bind", "dig"], (server) => {
  let source: RunSession;
  const targets: RunSession[] = [];
  const zones: RealZone[] = [];
  const makers: RunInstance[] = [];
  const apply = (name: string, address: string): Promise<string> =>
    source.user.apply(entry(name, `${name}.example.net`, { targets: [address] }));
  const both = async (label: string, ...addresses: readonly string[]): Promise<void> => {
    for (const zone of zones) await zone.becomes(label, "A", ...addresses);
  };
  const allAnswer = (addresses: readonly string[], work: () => Promise<void>): Promise<void> =>
    zones.reduce(
      (inner, { server: { port } }) =>
        () =>
          withoutGap(port, { "web.example.net": addresses }, inner),
      work,
    )();

  beforeAll(async () => {
    source = await server.open();
    for (const name of ["one", "two"]) {
      const zone = new RealZone(await startBind({ zone: "example.net" }));
      zones.push(zone);
      const target = await server.open();
      targets.push(target);
      await target.user.apply(account("net", zone.server));
      const copies = ["--controllers", "compound,dnsentry-source", "--lease-name", name];
      makers.push(await source.run(name, "--target", target.kubeconfig, ...copies));
    }
    await apply("web", "192.0.2.1");
    await both("web", "192.0.2.1");
  });
  afterAll(async () => {
    await source?.close();
    await Promise.all(targets.map((target) => target.close()));
    await Promise.all(zones.map((zone) => zone.server.stop()));
  });

  test("both are published and follow, and then nobody writes", async () => {
    await allAnswer(["192.0.2.1", "192.0.2.2"], async () => {
      await apply("web", "192.0.2.2");
      await both("web", "192.0.2.2");
      await source.user.becomes("dnse", "web", "Ready");
      await source.user.rests("dnse", "events");
      expect(await writesOf(...makers)).toEqual([0, 0]);
    });
  });

  test("copies that differ: the original shows one of them, and few writes are made", async () => {
    const [, two] = targets;
    const exclude = (...domains: readonly string[]) =>
      two?.user.kubectl.ok([
        ...["patch", "dnspr", "net", "--type=merge", "-p"],
        JSON.stringify({ spec: { domains: { exclude: domains } } }),
      ]);
    await allAnswer(["192.0.2.2"], async () => {
      await exclude("web.example.net");
      await source.user.reported("DNSEntry", "web", /excludes web\.example\.net/);
      await two?.user.rests("dnse");
      for (const count of await writesOf(...makers)) expect(count).toBeLessThanOrEqual(TRIES_MAX);
      const { state } = await source.user.status("dnse", "web");
      expect(["Ready", "Stale"]).toContain(state);
    });
    await exclude();
    await apply("web", "192.0.2.3");
    await both("web", "192.0.2.3");
    await source.user.becomes("dnse", "web", "Ready");
  });

  test("an original that is deleted takes both along", async () => {
    await source.user.delete("dnse", "web");
    await both("web");
    for (const { user } of targets)
      await eventually(
        "the copy is gone",
        () => user.list("dnse"),
        (all) => all.length === 0,
      );
  });
});
