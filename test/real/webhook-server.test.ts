/**
 * An external-dns with --provider=webhook beside `run`: what it posts is in the zone of a BIND with
 * our markers, also after a kill, and goes when it posts that it goes.
 */
import { readFileSync } from "node:fs";
import { get } from "node:http";
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

  const start = (owner = "group-one", ...more: readonly string[]) =>
    session.run(
      owner,
      ...["--controllers", "all,crd", "--webhook-address", `127.0.0.1:${port.port}`, ...more],
    );
  /** The status of a GET of what a web page calls the address by. */
  const statusAs = (host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const at = { host: "127.0.0.1", port: port.port, path: "/records" };
      const asked = get({ ...at, headers: { host, accept: MEDIA_TYPE } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.once("error", reject);
    });
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
    const again = await start();
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
    // DNS rebinding: a page's own name that leads here. R6.
    const hosts = ["evil.test", `evil.test:${port.port}`, "localhost", `127.0.0.1:${port.port}`];
    expect(await Promise.all(hosts.map(statusAs))).toEqual([403, 403, 200, 200]);
    await again.stop();
  });

  test("with --registry=txt and another class: told its zones, its markers are not published, its names are", async () => {
    const annotation = "dns.gardener.cloud/class=other";
    await session.user.kubectl.ok(["annotate", "dnspr", "org", "--overwrite", annotation]);
    // Of an owner id that has nothing in the zone yet: no memory of removals is missing (Z-23).
    await start("group-two", "--dns-class", "other", "--webhook-domain-filter", "example.org");
    expect(await (await call("/")).json()).toEqual({ include: ["example.org"] });
    // external-dns v0.15 registry/txt: the owner is a label of the endpoint, and a TXT beside it.
    const heritage = '"heritage=external-dns,external-dns/owner=ext,external-dns/resource=crd/x/y"';
    const labels = { owner: "ext", resource: "crd/x/y" };
    const named = (label: string, address: string) => ({
      ...web(address),
      dnsName: zone.name(label),
      labels,
    });
    const sent = (label: string, address: string) => [
      named(label, address),
      { dnsName: zone.name(`a-${label}`), recordType: "TXT", targets: [heritage], labels },
    ];
    const post = async (changes: object) => (await call("/records", changes)).status;
    expect(await post({ create: sent("txt", "192.0.2.6") })).toBe(204);
    await zone.becomes("txt", "A", "192.0.2.6");
    expect((await zone.content()).filter((line) => line.includes("owner=ext"))).toEqual([]);
    // It knows its names by the labels alone.
    expect(await (await call("/records")).json()).toEqual([named("txt", "192.0.2.6")]);
    const changed = { updateOld: sent("txt", "192.0.2.6"), updateNew: sent("txt", "192.0.2.7") };
    expect(await post(changed)).toBe(204);
    await zone.becomes("txt", "A", "192.0.2.7");
    expect(await post({ delete: sent("txt", "192.0.2.7") })).toBe(204);
    await zone.becomes("txt", "A");
    expect(await zone.answers("a-txt", "TXT")).toEqual([]);
  });

  test("without the source of DNSEndpoints it does not start, and says what to write", async () => {
    const args = ["--webhook-address", `127.0.0.1:${port.port}`];
    await expect(session.run("group-three", ...args)).rejects.toThrow(
      /--webhook-address: needs the source crd.*--controllers/,
    );
  });
});
