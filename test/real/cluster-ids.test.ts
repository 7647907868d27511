/**
 * Clusters that have new ids: `--kubeconfig.migration-ids` and `--target.migration-ids` name the
 * former ones. Generated DNSEntries and their records are recognised: entries are linked anew, and
 * no record is written.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const FORMER = ["--kubeconfig.id", "source-old", "--target.id", "target-old"];
const PRESENT = [
  ...["--kubeconfig.id", "source-new", "--kubeconfig.migration-ids", "source-old"],
  ...["--target.id", "target-new", "--target.migration-ids", "target-older,target-old"],
];

interface Entry {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

describeOnBoth("clusters with new ids", ["bind", "dig"], (server) => {
  const ends: (() => Promise<unknown>)[] = [];
  let source: ClusterUser;
  let target: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    ends.push(() => zone.server.stop());
    const [from, to] = await Promise.all([server.open(), server.open()]);
    ends.push(
      () => from.close(),
      () => to.close(),
    );
    source = from.user;
    target = to.user;
    await target.apply(account("net", zone.server));
    const args = ["--dialect", "gardener", "--target", to.kubeconfig];
    const { kubeconfig } = from;
    instance = await RunInstance.launch({ kubeconfig, owner: "group-one", args });
    ends.push(() => instance.remove());
    await instance.stop();
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  const entries = async (): Promise<readonly Entry[]> =>
    ((await target.kubectl.json(["get", "dnse"])) as { readonly items: readonly Entry[] }).items;
  /** Without the fence, which each term writes. */
  const records = async (): Promise<readonly string[]> =>
    (await zone.content()).filter((line) => !/\bSOA\b|epoch=/.test(line));
  const ownersOf = (all: readonly Entry[]): readonly string[] =>
    all.map(({ metadata }) => metadata.annotations["resources.gardener.cloud/owners"] ?? "");

  test("generated entries are linked anew; no other is made, and no record is written", async () => {
    await instance.begin(...FORMER);
    await instance.ready();
    await source.apply(service("web", zone.name("web")));
    await source.balance("svc", "web", "192.0.2.1");
    await zone.becomes("web", "A", "192.0.2.1");
    await instance.hasNothingToDo();
    const before = [await entries(), await records()] as const;
    expect(ownersOf(before[0])).toEqual(["source-old:/Service/default/web"]);
    await instance.restart(...PRESENT);
    await eventually(
      "the owners annotation has the present id",
      async () => ownersOf(await entries()),
      (owners) => owners.join() === "source-new:/Service/default/web",
    );
    await instance.hasNothingToDo();
    const names = (all: readonly Entry[]) => all.map(({ metadata }) => metadata.uid);
    expect(names(await entries())).toEqual(names(before[0]));
    expect(await records()).toEqual(before[1]);
  });

  test("a change of the Service is published; when it goes, its entry and its record go", async () => {
    await source.balance("svc", "web", "192.0.2.2");
    await zone.becomes("web", "A", "192.0.2.2");
    await source.delete("svc", "web");
    await zone.becomes("web", "A");
    expect(await entries()).toEqual([]);
  });
});
