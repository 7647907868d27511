/**
 * `run` on a Pi-hole, which keeps no texts: external-dns's arguments with the registry that changes
 * nothing, and a DNSProvider with owners in ConfigMaps. What people wrote into Pi-hole stays.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakePihole } from "../support/fakes/pihole/server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { entry, object, together } from "../support/values/cluster-objects.ts";

const BY_HAND = ["192.0.2.9 nas.example.lan", "192.0.2.8 printer.example.lan printer"];

describeReal("run and Pi-hole", ["kubectl-1.32"], () => {
  const fake = new FakePihole();
  let server: string;
  let session: RunSession;
  beforeAll(async () => {
    server = await fake.start();
    session = await RunSession.open();
  });
  afterAll(async () => {
    await session?.close();
    await fake.stop();
  });

  const lines = () => [...(fake.lists["hosts"] ?? []), ...(fake.lists["cnameRecords"] ?? [])];
  const become = (...expected: readonly string[]): Promise<unknown> =>
    eventually(
      `the lines are ${expected.join(", ")}`,
      async () => lines().sort().join(),
      (text) => text === [...expected].sort().join(),
    );
  const service = (name: string, host: string): string => {
    const annotations = { "external-dns.alpha.kubernetes.io/hostname": host };
    const ports = [{ port: 80, protocol: "TCP", targetPort: 80 }];
    return object("Service", name, {
      metadata: { annotations },
      spec: { type: "LoadBalancer", ports },
    });
  };

  test("external-dns's arguments: a name is created, and no line of others is changed", async () => {
    const { user } = session;
    fake.lists["hosts"]?.push(...BY_HAND);
    const instance = await session.run(
      "",
      ...["--dialect=external-dns", "--provider=pihole", "--source=service", "--policy=sync"],
      ...["--registry=noop", "--txt-owner-id=team"],
      ...[`--pihole-server=${server}`, `--pihole-password=${fake.password}`],
    );
    await user.apply(
      together(service("www", "www.example.lan"), service("nas", "nas.example.lan")),
    );
    await user.balance("service", "nas", "192.0.2.2");
    await user.balance("service", "www", "192.0.2.1");
    await become("192.0.2.1 www.example.lan", ...BY_HAND);
    await eventually(
      "the name of others is told",
      () => instance.cli("plan", "--zone", "."),
      ({ stdout }) => stdout.includes("ForeignRecord"),
    );
    expect((await instance.cli("plan")).stdout).toMatch(/^\. +- /m);
    expect(instance.output()).not.toContain(fake.password);
    await instance.remove();
    await user.kubectl.ok(["delete", "service", "www", "nas"]);
  });

  test("owners in ConfigMaps: a record comes, changes, becomes a CNAME and goes", async () => {
    const { user } = session;
    fake.lists["hosts"]?.splice(0, 99, ...BY_HAND);
    const settings = { secretRef: { name: "pihole" }, providerConfig: { zones: ["example.lan"] } };
    await user.apply(
      object("Secret", "pihole", { stringData: { Server: server, Password: fake.password } }),
    );
    await user.apply(object("DNSProvider", "pihole", { spec: { type: "pihole", ...settings } }));
    await session.run("group-one", "--registry", "configmap");
    await user.apply(entry("www", "www.example.lan", { targets: ["192.0.2.1", "2001:db8::1"] }));
    await become("192.0.2.1 www.example.lan", "2001:db8::1 www.example.lan", ...BY_HAND);
    await user.apply(entry("printer", "printer.example.lan", { targets: ["192.0.2.7"] }));
    await user.apply(entry("www", "www.example.lan", { targets: ["192.0.2.3"] }));
    await become("192.0.2.3 www.example.lan", ...BY_HAND);
    fake.endSessions();
    await user.apply(entry("www", "www.example.lan", { targets: ["nas.example.lan"] }));
    await become("www.example.lan,nas.example.lan", ...BY_HAND);
    await user.kubectl.ok(["delete", "dnse", "www", "printer"]);
    await become(...BY_HAND);
  });
});
