/**
 * An external-dns with --provider=webhook beside `run`: what it posts is in the zone of a BIND with
 * our markers, also after a kill, and goes when it posts that it goes.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const MEDIA_TYPE = "application/external.dns.webhook+json;version=1";
const ENDPOINTS = readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8");

describeReal("a webhook for external-dns", ["kubectl-1.32", "bind", "dig"], () => {
  let session: RunSession;
  let zone: RealZone;
  let port: FreePort;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.org" }));
    port = await claimPort();
    session = await RunSession.open();
    await session.user.apply(ENDPOINTS);
    await session.user.apply(account("org", zone.server));
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    port?.release();
  });

  const start = () =>
    session.run(
      "group-one",
      ...["--controllers", "all,crd", "--webhook-address", `127.0.0.1:${port.port}`],
    );
  const call = (path: string, body?: unknown) =>
    fetch(`http://127.0.0.1:${port.port}${path}`, {
      headers: { accept: MEDIA_TYPE, "content-type": MEDIA_TYPE },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  const web = (...targets: readonly string[]) => ({
    dnsName: zone.name("web"),
    targets,
    recordType: "A",
    recordTTL: 60,
    labels: { owner: "", resource: "service/default/web" },
  });

  test("what it creates, updates and deletes is in the zone, with markers of ours", async () => {
    const instance = await start();
    expect(await (await call("/")).json()).toEqual({});
    expect((await call("/records", { create: [web("192.0.2.1")] })).status).toBe(204);
    await zone.becomes("web", "A", "192.0.2.1");
    expect(await zone.answers("a-web", "TXT")).toEqual([
      expect.stringMatching(/external-dns\/owner=group-one.*resource=crd\/default\/webhook-/),
    ]);
    const changed = { updateOld: [web("192.0.2.1")], updateNew: [web("192.0.2.2")] };
    expect((await call("/records", changed)).status).toBe(204);
    await zone.becomes("web", "A", "192.0.2.2");
    expect((await call("/records", { delete: [web("192.0.2.2")] })).status).toBe(204);
    await zone.becomes("web", "A");
    expect(await zone.answers("a-web", "TXT")).toEqual([]);

    await call("/records", { create: [web("192.0.2.3")] });
    await zone.becomes("web", "A", "192.0.2.3");
    await instance.kill9();
    await start();
    expect(await (await call("/records")).json()).toEqual([web("192.0.2.3")]);
    await call("/records", { updateOld: [web("192.0.2.3")], updateNew: [web("192.0.2.4")] });
    await zone.becomes("web", "A", "192.0.2.4");

    // A browser asks nobody before it sends that (R6).
    const body = JSON.stringify({ create: [{ ...web("192.0.2.66"), dnsName: zone.name("evil") }] });
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": MEDIA_TYPE, origin: "http://evil.test" },
    ]) {
      const url = `http://127.0.0.1:${port.port}/records`;
      const { status } = await fetch(url, { method: "POST", headers, body });
      expect(status).toBeGreaterThanOrEqual(400);
    }
    await call("/records", { updateOld: [web("192.0.2.4")], updateNew: [web("192.0.2.5")] });
    await zone.becomes("web", "A", "192.0.2.5");
    expect(await zone.answers("evil")).toEqual([]);
  });

  test("without the source of DNSEndpoints it does not start, and says what to write", async () => {
    const args = ["--webhook-address", `127.0.0.1:${port.port}`];
    await expect(session.run("group-two", ...args)).rejects.toThrow(
      /--webhook-address: needs the source crd.*--controllers/,
    );
  });
});
