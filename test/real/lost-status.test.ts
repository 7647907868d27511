/**
 * A DNSEntry whose status was never written: the API refuses it, the publisher is killed, the
 * object goes, and the publisher comes back. The record goes with it, or the DNSEntry stays and
 * says why: never an entry that ends in silence while its record is left.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubeconfigText } from "../support/api-servers/kubeconfig-text.ts";
import { FaultFront } from "../support/faults/fault-front.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const STATUS = /^(?:PATCH|PUT) \/apis\/dns\.gardener\.cloud\/.*\/dnsentries\/[^/]+\/status/;
const REFUSAL = JSON.stringify({
  apiVersion: "v1",
  kind: "Status",
  status: "Failure",
  code: 403,
  reason: "Forbidden",
  message: "dnsentries.dns.gardener.cloud is forbidden: a policy of this test",
});

describeReal("an entry that ends before its status was written", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let front: FaultFront;
  let instance: RunInstance | null = null;
  const folder = makeTempFolder("lost-status");
  const kubeconfig = join(folder.path, "kubeconfig");
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    const { server, user } = session;
    front = await FaultFront.open(server);
    const { url, caFile } = front;
    writeFileSync(
      kubeconfig,
      kubeconfigText({ server: url, caFile, token: server.tokenOf("admin") }),
    );
    await user.apply(account("net", zone.server));
  });
  afterAll(async () => {
    await instance?.remove();
    await front?.close();
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });

  test.each([
    ["uid", []],
    ["chosen", ["--kubeconfig.id", "c1"]],
  ] as const)("R2: its record goes with it (id of the cluster: %s)", async (id, args) => {
    const { user } = session;
    const [made, own] = [`made-${id}`, `own-${id}`];
    instance = await RunInstance.start({ kubeconfig, owner: `group-${id}`, args });
    front.answer(STATUS, { instead: { status: 403, body: REFUSAL }, times: Infinity });
    await user.apply(service(made, zone.name(made)));
    await user.balance("svc", made, "192.0.2.50");
    await user.apply(entry(own, zone.name(own), { targets: ["192.0.2.1"] }));
    await zone.becomes(made, "A", "192.0.2.50");
    await zone.becomes(own, "A", "192.0.2.1");
    await instance.kill9();
    const entries = await user.list("dnsentries");
    expect(entries.length).toBe(2);
    for (const { status = {} } of entries) expect(status["zone"]).toBeUndefined();
    await user.kubectl.ok(["delete", "svc", made, "--wait=false"]);
    await user.kubectl.ok(["delete", "dnse", own, "--wait=false"]);
    front.heal();
    await instance.begin();
    await instance.ready();
    await zone.becomes(made, "A");
    await zone.becomes(own, "A");
    await user.kubectl.ok(["wait", "--for=delete", "dnse", "--all", "--timeout=60s"]);
    const left = (await zone.content()).filter((line) => /made-|own-/.test(line));
    expect(left, "markers").toEqual([]);
    await instance.remove();
    instance = null;
  });
});
