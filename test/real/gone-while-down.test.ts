/**
 * Objects that are gone when the program begins again: their finalizers were taken off and they
 * were deleted while nobody looked. Their records are marked ours and nothing wants them any more:
 * they wait for a person, and go when they are approved. Records of objects that live stay.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, object, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GOING = Array.from({ length: 12 }, (_, index) => `n${index}`);
const LIVING = ["kept0", "kept1"];
/** What is to be approved; beside it texts say `approve HASH`. */
const HASH = /zonekeeper approve ([0-9a-f]{16})/;
/** Those that go, and the living ones where a DNSProvider goes. */
const HELD = /\b1[24] held/;
const ADDRESS = "192.0.2.1";

/** The tests are one session in order; each leaves the living ones alone. */
describeOnBoth("what is gone while the program is down", ["dig", "bind"], (server) => {
  let zone: RealZone;
  let session: RunSession;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    await session.user.apply(account("net", zone.server));
    instance = await session.run("group-one", "--disable-namespace-restriction");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const target = (label: string): string => entry(label, zone.name(label), { targets: [ADDRESS] });
  const publish = async (labels: readonly string[]): Promise<void> => {
    await session.user.apply(together(...labels.map(target)));
    for (const label of labels) await zone.becomes(label, "A", ADDRESS);
  };
  const stays = async (labels: readonly string[]): Promise<void> => {
    for (const label of labels) expect(await zone.answers(label), label).toEqual([ADDRESS]);
  };
  /** Without the finalizer that would wait for the program. */
  const wipe = async (kind: string, names: readonly string[]): Promise<void> => {
    const { kubectl } = session.user;
    for (const name of names)
      await kubectl.ok([
        ...["patch", kind, name, "--type=merge"],
        ...["-p", '{"metadata":{"finalizers":null}}'],
      ]);
    await kubectl.ok(["delete", kind, ...names]);
  };
  /** Waits until something is held; answers what `plan` says. */
  const held = (): Promise<string> =>
    eventually(
      "plan names what waits for a person",
      async () => (await instance.cli("plan", "--all")).stdout,
      (text) => HELD.test(text) && HASH.test(text),
    );
  /** Approves what is shown until nothing is to be done. */
  const approveAll = async (): Promise<void> => {
    await eventually(
      "everything is approved and done",
      async () => {
        const plan = await instance.cli("plan");
        const [, hash] = HASH.exec(plan.stdout) ?? [];
        if (hash !== undefined) await instance.cli("approve", hash);
        return plan;
      },
      ({ code, stdout }) => code === 0 && stdout.includes("nothing to do"),
    );
  };

  test("DNSEntries", async () => {
    await publish([...GOING, ...LIVING]);
    await instance.stop();
    await wipe("dnse", GOING);
    await instance.begin();
    await instance.ready();
    await held();
    await stays([...GOING, ...LIVING]);
    await approveAll();
    for (const label of GOING) await zone.becomes(label, "A");
    await stays(LIVING);
  });

  test("all of a kind with its definition, which run installs again", async () => {
    await publish(GOING);
    await instance.stop();
    await wipe("dnse", [...GOING, ...LIVING]);
    await session.user.kubectl.ok(["delete", "crd", "dnsentries.dns.gardener.cloud"]);
    await instance.begin();
    await instance.ready();
    await eventually(
      "DNSEntries are served again",
      () => session.user.kubectl.run(["get", "dnse"]),
      ({ code }) => code === 0,
    );
    await session.user.apply(together(...LIVING.map(target)));
    await held();
    for (const label of LIVING) await session.user.becomes("dnse", label, "Ready");
    await stays([...GOING, ...LIVING]);
    await approveAll();
    for (const label of GOING) await zone.becomes(label, "A");
    await stays(LIVING);
  });

  /** Beside kube-apiserver no garbage collector runs that would delete entries of lost Services. */
  const collectEntries = async (): Promise<void> => {
    if (server.name === "embedded") return;
    const { kubectl } = session.user;
    const entries = (await kubectl.ok(["get", "dnse", "-o", "name"])).split("\n");
    const generated = entries.filter((name) => name.includes("-service-"));
    await kubectl.ok(["delete", ...generated, "--wait=false"]);
  };

  test("Services, whose DNSEntries outlived them", async () => {
    const services = GOING.map((label) => service(label, zone.name(label)));
    await session.user.apply(together(...services));
    for (const label of GOING) await session.user.balance("svc", label, ADDRESS);
    for (const label of GOING) await zone.becomes(label, "A", ADDRESS);
    await instance.stop();
    await wipe("svc", GOING);
    await collectEntries();
    await instance.begin();
    await instance.ready();
    await held();
    await stays(LIVING);
    await approveAll();
    for (const label of GOING) await zone.becomes(label, "A");
    await stays(LIVING);
  });

  /** Beside kube-apiserver no controller runs that would empty the namespace. */
  const deleteTeam = async (): Promise<void> => {
    const { kubectl } = session.user;
    if (server.name === "embedded") {
      await kubectl.ok(["delete", "namespace", "team"]);
      return;
    }
    await kubectl.ok(["delete", "namespace", "team", "--wait=false"]);
    await kubectl.ok(["delete", "dnse", "--all", "-n", "team"]);
    const path = "/api/v1/namespaces/team";
    const namespace = JSON.parse(await kubectl.ok(["get", "--raw", path])) as object;
    const emptied = JSON.stringify({ ...namespace, spec: { finalizers: [] } });
    await kubectl.ok(["replace", "--raw", `${path}/finalize`, "-f", "-"], emptied);
  };

  test("a namespace with all that is in it", async () => {
    const { kubectl } = session.user;
    await kubectl.ok(["create", "namespace", "team"]);
    const inTeam = (label: string): string =>
      object("DNSEntry", label, {
        metadata: { namespace: "team" },
        spec: { dnsName: zone.name(label), targets: [ADDRESS] },
      });
    await session.user.apply(together(...GOING.map(inTeam)));
    for (const label of GOING) await zone.becomes(label, "A", ADDRESS);
    await instance.stop();
    for (const label of GOING)
      await kubectl.ok([
        ...["patch", "dnse", label, "-n", "team", "--type=merge"],
        ...["-p", '{"metadata":{"finalizers":null}}'],
      ]);
    await deleteTeam();
    await instance.begin();
    await instance.ready();
    await held();
    await stays([...GOING, ...LIVING]);
    await approveAll();
    for (const label of GOING) await zone.becomes(label, "A");
    await stays(LIVING);
  });

  test("a DNSProvider that is deleted stays until what is gone is removed; what lives keeps its records", async () => {
    await publish(GOING);
    await instance.stop();
    await wipe("dnse", GOING);
    await session.user.kubectl.ok(["delete", "dnspr", "net", "--wait=false"]);
    await instance.begin();
    await held();
    const waits = /RecordsWait: .*stays until \d+ records .* are removed/;
    await session.user.reported("DNSProvider", "net", waits);
    await stays([...GOING, ...LIVING]);
    await eventually(
      "it is gone when what is shown is approved",
      async () => {
        const [, hash] = HASH.exec((await instance.cli("plan")).stdout) ?? [];
        if (hash !== undefined) await instance.cli("approve", hash);
        return session.user.kubectl.run(["get", "dnspr", "net"]);
      },
      ({ code }) => code !== 0,
    );
    for (const label of GOING) await zone.becomes(label, "A");
    await stays(LIVING);
    for (const label of LIVING) await session.user.becomes("dnse", label, "Stale");
  });
});
