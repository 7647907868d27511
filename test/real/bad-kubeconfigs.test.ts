/**
 * One of the four kubeconfigs leads nowhere: nobody listens, another CA, or a token that is not
 * accepted. Option, file and remedy are named in the log and in `/readyz`, and what does not need
 * that cluster goes on.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** As `kubeconfigText` of the tests writes it. */
interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { server: string; "certificate-authority": string } },
  ];
  readonly users: readonly [{ readonly user: { token: string } }];
}

const EXPIRED = "token-that-has-expired";
const IDS = ["--kubeconfig.id", "s", "--target.id", "t", "--providers.id", "p"];
const OPTIONS = ["--kubeconfig", "--target", "--providers", "--coordination"] as const;

describeOnBoth("a kubeconfig that leads nowhere", ["bind", "dig"], (server) => {
  const folder = makeTempFolder("bad-kubeconfigs");
  let session: RunSession;
  let otherServer: ApiServer;
  let zone: RealZone;
  let instance: RunInstance;

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    otherServer = await startControlPlane();
    await session.user.apply(account("net", zone.server));
  });
  afterEach(() => instance?.remove());
  afterAll(async () => {
    await otherServer?.close();
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });

  const read = (path: string): Kubeconfig => JSON.parse(readFileSync(path, "utf8"));
  /** The good file with one value changed. */
  const file = (name: string, change: (good: Kubeconfig) => void): string => {
    const good = read(session.kubeconfig);
    change(good);
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify(good));
    return path;
  };
  const unreachable = (): string =>
    file("nobody.yaml", ({ clusters: [{ cluster }] }) => {
      cluster.server = "https://127.0.0.1:1";
    });
  const otherCa = (): string =>
    file("ca.yaml", ({ clusters: [{ cluster }] }) => {
      const [strange] = read(otherServer.kubeconfig).clusters;
      cluster["certificate-authority"] = strange.cluster["certificate-authority"];
    });
  const oldToken = (): string =>
    file("token.yaml", ({ users: [{ user }] }) => {
      user.token = EXPIRED;
    });

  /** Starts it with one bad file, and waits until that is told. */
  const startWith = async (
    option: (typeof OPTIONS)[number],
    path: string,
    remedy: RegExp,
  ): Promise<void> => {
    const args = OPTIONS.slice(1).flatMap((one) => [
      one,
      one === option ? path : session.kubeconfig,
    ]);
    const kubeconfig = option === "--kubeconfig" ? path : session.kubeconfig;
    instance = await RunInstance.launch({ kubeconfig, owner: "me", args: [...IDS, ...args] });
    const where = new RegExp(`${option} \\([^)]*${path.replaceAll(".", "\\.")}`);
    const log = await eventually(
      "the log names option and file",
      async () => instance.output(),
      (output) => where.test(output),
    );
    expect(log).toMatch(remedy);
    await eventually(
      "/readyz names them, too",
      () => instance.fetch("/readyz"),
      (answer) => where.test(answer.text) && remedy.test(answer.text),
    );
    expect(log).not.toContain('expired"');
  };

  test("of the source: another CA; DNSEntries are published", async () => {
    await startWith("--kubeconfig", otherCa(), /correct certificate-authority in that file/);
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
  });

  test("of the target: a token that is not accepted; DNSProviders are served, records stay", async () => {
    await startWith("--target", oldToken(), /may have expired: put a new one there/);
    await session.user.becomes("dnspr", "net", "Ready");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
  });

  test("of the providers: nobody listens; entries are generated, records stay", async () => {
    await startWith("--providers", unreachable(), /correct server in that file, or see why/);
    await session.user.apply(service("web", zone.name("web")));
    await session.user.balance("svc", "web", "192.0.2.2");
    await eventually(
      "its entry is there",
      () => session.user.kubectl.ok(["get", "dnse", "-o", "name"]),
      (names) => names.includes("web-service-"),
    );
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
  });

  test("of the coordination: nobody listens; it is alive, says so and writes nothing", async () => {
    const serial = await zone.serial();
    await startWith("--coordination", unreachable(), /correct server in that file, or see why/);
    expect(await instance.get("/healthz")).toBe(200);
    expect(await zone.answers("web")).toEqual([]);
    expect(await zone.serial()).toBe(serial);
  });
});
