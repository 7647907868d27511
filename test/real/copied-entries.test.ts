/**
 * `dnsentry-source` from one cluster to another: kubectl writes DNSEntries in the source, BIND
 * answers, and kubectl reads in the source what became of them.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { Kubectl } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

describeReal(
  "DNSEntries copied from one cluster to another",
  ["kubectl-1.32", "bind", "dig"],
  () => {
    const folder = makeTempFolder("copied-entries");
    const ends: (() => Promise<unknown>)[] = [];
    let source: ClusterUser;
    let target: ClusterUser;
    let zone: RealZone;
    let start: () => Promise<Child>;

    beforeAll(async () => {
      zone = new RealZone(await startBind({ zone: "example.net" }));
      ends.push(() => zone.server.stop());
      const planes = [await startControlPlane(), await startControlPlane()] as const;
      ends.push(...planes.map((plane) => () => plane.close()));
      const [from, to] = planes.map(({ kubeconfig }) => kubeconfig);
      source = new ClusterUser(new Kubectl("1.32", from ?? ""));
      target = new ClusterUser(new Kubectl("1.32", to ?? ""));
      ends.push(
        () => source.kubectl.close(),
        () => target.kubectl.close(),
      );
      start = () =>
        Child.start({
          command: process.execPath,
          args: [
            ...[PROGRAM, "run", "--owner", "me", "--kubeconfig", from ?? "", "--target", to ?? ""],
            ...["--controllers", "compound,dnsentry-source", "--http-port", "0"],
            ...["--data", folder.path, "--provider-trusted-namespaces", "*"],
          ],
          logFile: `${folder.path}/run.log`,
        });
      await target.apply(account("net", zone.server));
    });
    afterAll(async () => {
      for (const end of ends.reverse()) await end();
      folder.remove();
    });

    const read = (path: string) =>
      source.kubectl.ok(["get", "dnse", "web", "-o", `jsonpath={${path}}`]);

    test("a copy is published; its state and its messages are read at the original", async () => {
      let running = await start();
      await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.1"] }));
      await zone.becomes("web", "A", "192.0.2.1");
      await source.kubectl.ok(["wait", "dnse/web", "--for=condition=Ready", "--timeout=20s"]);
      expect(await read(".status.provider")).toBe("remote: default/net");
      await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.2"] }));
      await zone.becomes("web", "A", "192.0.2.2");
      await source.apply(entry("web", "www.elsewhere.org", { targets: ["192.0.2.2"] }));
      await eventually(
        "it is said that nobody serves it",
        () => read(".status.message"),
        (text) => text.includes("No responsible provider found"),
      );
      await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.3"] }));
      await zone.becomes("web", "A", "192.0.2.3");
      await running.stop();
      // Deleted while nobody looks.
      await source.delete("dnse", "web");
      running = await start();
      await zone.becomes("web", "A");
      expect(await target.kubectl.ok(["get", "dnse", "-o", "name"])).toBe("");
      await running.stop();
    });
  },
);
