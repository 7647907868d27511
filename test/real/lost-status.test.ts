/**
 * Objects that end before their DNSEntry had a status: the API refuses it, the publisher is killed,
 * the objects go, and the publisher comes back. The record goes with its object; the last one of a
 * zone waits for a person, and its DNSEntry says so.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubeconfigText } from "../support/api-servers/kubeconfig-text.ts";
import { FaultFront } from "../support/faults/fault-front.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const STATUS = /^(?:PATCH|PUT) \/apis\/dns\.gardener\.cloud\/.*\/dnsentries\/[^/]+\/status/;

const FORBIDDEN = "dnsentries.dns.gardener.cloud is forbidden: a policy of this test";
const REFUSAL = JSON.stringify({
  ...{ apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden" },
  message: FORBIDDEN,
});
/** The last one lives until the others are gone. */
const LABELS = ["made", "own", "last"];
const ADDRESS = "192.0.2.1";

describeReal("objects that end before their status", ["kubectl-1.32", "dig", "bind"], () => {
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
    ["UID", []],
    ["chosen", ["--kubeconfig.id", "c1"]],
  ] as const)("Z-19 A2: the record goes with its object (id: %s)", async (id, args) => {
    const { user } = session;
    const entryOf = async (label: string) =>
      (await user.list("dnse")).find(({ spec }) => spec?.["dnsName"] === zone.name(label));
    const statusOf = async (label: string) => (await entryOf(label))?.status;
    const begin = async (run: RunInstance) => {
      await run.begin();
      await run.ready();
    };

    front.answer(STATUS, { instead: { status: 403, body: REFUSAL }, times: Infinity });
    const run = await RunInstance.start({ kubeconfig, owner: `group-${id}`, args });
    instance = run;
    await user.apply(
      together(
        service("made", zone.name("made")),
        service("last", zone.name("last")),
        entry("own", zone.name("own"), { targets: [ADDRESS] }),
      ),
    );
    for (const name of ["made", "last"]) await user.balance("svc", name, ADDRESS);
    for (const label of LABELS) await zone.becomes(label, "A", ADDRESS);
    // B10: who looks is told.
    await eventually(
      "plan says what the API refuses",
      async () => (await run.cli("plan", "--all")).stdout,
      (text) => text.includes("a policy of this test"),
    );
    await run.kill9();
    for (const label of LABELS)
      expect((await statusOf(label))?.["zone"], `${label} has no status yet`).toBeUndefined();
    await user.kubectl.ok(["delete", "svc", "made", "--wait=false"]);
    await user.kubectl.ok(["delete", "dnse", "own", "--wait=false"]);
    await begin(run);
    for (const label of ["made", "own"]) {
      // It does not end in silence: its record is gone before.
      await eventually(
        `the entry of ${label} is gone`,
        () => entryOf(label),
        (seen) => seen === undefined,
      );
      expect(await zone.answers(label), label).toEqual([]);
    }
    expect(await zone.answers("last")).toEqual([ADDRESS]);

    await run.kill9();
    await user.kubectl.ok(["delete", "svc", "last", "--wait=false"]);
    front.heal();
    await begin(run);
    const message = await eventually(
      "the entry of the last name says what it waits for",
      async () => String((await statusOf("last"))?.["message"] ?? ""),
      (text) => text.includes("approve"),
    );
    expect(message).toMatch(/nobody watched how its object gave up the name.* last name/);
    expect(await zone.answers("last")).toEqual([ADDRESS]);
    const [, hash = ""] = /approve (\S+)/.exec(message) ?? [];
    expect((await run.cli("approve", hash)).code).toBe(0);
    await zone.becomes("last", "A");
    await run.remove();
    instance = null;
  });
});
