/**
 * `zonekeeper run --dry-run`: a preview beside the instance that writes. It asks for no Lease and
 * writes nothing, neither to zones nor to clusters: the API server's record of requests says so.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuditedRequest, startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const OWNER = "group-one";
/** Questions about rights are POSTs that store nothing. */
const REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/** The tests are one session in order. */
describeReal("a dry run", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let preview: RunInstance;
  const audit: AuditedRequest[] = [];
  const ofPreview = (): readonly AuditedRequest[] =>
    audit.filter(({ user }) => user === "controller");
  const planned = (instance: RunInstance, fragment: string) =>
    eventually(
      `plan says ${fragment}`,
      () => instance.cli("plan"),
      ({ stdout }) => stdout.includes(fragment),
    );

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const server = await startControlPlane((request) => void audit.push(request));
    session = await RunSession.open(async () => server);
    const { user } = session;
    await user.apply(account("net", zone.server));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await user.apply(service("echo", zone.name("echo")));
    await user.balance("svc", "echo", "192.0.2.50");
    const kubeconfig = server.kubeconfigOf("controller");
    preview = await RunInstance.start({ kubeconfig, owner: OWNER, args: ["--dry-run"] });
  });
  afterAll(async () => {
    await preview?.remove();
    await session?.close();
    await zone?.server.stop();
  });

  test("plans an empty zone from nothing, generated entries too, and writes nothing at all", async () => {
    const before = await zone.content();
    const { code, stdout } = await planned(preview, zone.name("echo"));
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^Dry run: this instance writes nothing.* No instance holds the Lease\./,
    );
    expect(stdout).toContain(zone.name("www"));
    const explained = await preview.cli("explain", zone.name("www"));
    expect([explained.code, explained.stdout]).toEqual([2, expect.stringContaining("192.0.2.1")]);
    expect(explained.stdout).not.toMatch(/fail|Unavailable|last outcome/);
    expect(preview.output()).not.toContain("change not applied");
    expect(await zone.content()).toEqual(before);
    expect(ofPreview().some(({ method }) => method === "GET")).toBe(true);
    const writes = ofPreview().filter(({ method }) => method !== "GET");
    expect(writes.filter(({ path }) => path !== REVIEW)).toEqual([]);
  });

  test("works beside the instance that writes, and says which one that is", async () => {
    const { user } = session;
    const writer = await session.run(OWNER);
    await zone.becomes("www", "A", "192.0.2.1");
    await zone.becomes("echo", "A", "192.0.2.50");
    await writer.hasNothingToDo();
    const { code } = await planned(preview, "nothing to do");
    expect(code).toBe(0);
    await planned(preview, "holds the Lease and writes");
    await user.becomes("dnse", "www", "Ready");
    await writer.stop();
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.9"] }));
    await planned(preview, "192.0.2.9");
    const status = await user.kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.status.state}"]);
    expect(status).toBe("Ready");
    const writes = ofPreview().filter(({ method }) => method !== "GET");
    expect(writes.filter(({ path }) => path !== REVIEW)).toEqual([]);
  });

  test("takes no decisions: they are for the instance that writes", async () => {
    const paused = await preview.cli("pause", "--all");
    expect([paused.code, paused.stderr]).toEqual([1, expect.stringContaining("Dry run")]);
    expect((await preview.cli("ownership", "list")).code).toBe(0);
  });
});
