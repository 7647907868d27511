/**
 * The commands of docs/guides/webhook.md, run as they stand against a real kube-apiserver
 * and a BIND; only port 8888 is another one. Its external-dns is what it says on the wire: the
 * negotiation, then what it wants.
 */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/webhook.md", "utf8");
const BLOCKS = [...GUIDE.matchAll(/^```\n(.*?)^```/gms)].map(([, text = ""]) => text);
const [, SHOW = ""] = /`(kubectl get dnsendpoints[^`]*)`/.exec(GUIDE.replaceAll(/\s+/g, " ")) ?? [];

/** What external-dns says when it starts with one name; refuses other arguments. */
const externalDns = (dnsName: string): string => `#!${process.execPath}
const [provider, url, registry, source, ...more] = process.argv.slice(2);
const wanted = ["--provider=webhook", "--registry=noop", "--source=gateway-httproute"];
if (String([provider, registry, source]) !== String(wanted) || more.length > 0) process.exit(2);
const type = "application/external.dns.webhook+json;version=1";
const base = url.replace("--webhook-provider-url=", "");
const create = [{ dnsName: "${dnsName}", targets: ["192.0.2.1"], recordType: "A" }];
const body = JSON.stringify({ create });
const post = { method: "POST", headers: { accept: type, "content-type": type }, body };
(async () => {
  for (;;) {
    const hello = await fetch(base, { headers: { accept: type } }).catch(() => null);
    if (hello?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const answer = await fetch(base + "/records", post);
  console.log("external-dns:", answer.status);
})();
`;

describeReal("the guide to the webhook", ["kubectl-1.32", "bind", "kube-apiserver"], () => {
  let session: RunSession;
  let zone: RealZone;
  let port: FreePort;
  const folder = makeTempFolder("guide");
  const clone = join(folder.path, "clone");
  beforeAll(async () => {
    port = await claimPort();
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open(startKubeApiServer);
    mkdirSync(clone);
    for (const one of ["dist", "deploy"]) symlinkSync(resolve(one), join(clone, one));
    const program = join(folder.path, "external-dns");
    writeFileSync(program, externalDns(zone.name("web")));
    chmodSync(program, 0o755);
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    port?.release();
    folder.remove();
  });

  test("its commands publish what external-dns wants", async () => {
    const [start = "", other = "", ...more] = BLOCKS;
    expect(more).toEqual([]);
    await session.user.apply(account("net", zone.server));
    const wait = `until [ -n "$(${SHOW} -o name)" ]; do sleep 0.2; done`;
    const ready = `kubectl wait --for=condition=Ready dnsendpoints --all --timeout=30s`;
    const lines = [`PATH="${folder.path}:$PATH"`, start, other, wait, SHOW, ready, "kill %1", ""];
    const shell = ["--norc", "-emuo", "pipefail", "-c"];
    const script = lines.join("\n").replaceAll("8888", String(port.port));
    const result = await run("bash", [...shell, script], {
      cwd: clone,
      env: {
        KUBECONFIG: session.kubeconfig,
        ZONEKEEPER_HTTP_PORT: "0",
        ZONEKEEPER_DATA: join(folder.path, "data"),
        ZONEKEEPER_PROVIDER_TRUSTED_NAMESPACES: "*",
      },
    });
    expect(`${result.stdout}${result.stderr}`).toContain("external-dns: 204");
    expect(result.stdout).toMatch(/^webhook-\S+/m);
    expect(await zone.answers("web")).toEqual(["192.0.2.1"]);
  });
});
