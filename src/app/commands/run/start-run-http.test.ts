import { X509Certificate } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTempFolder, type TempFolder } from "../../../../test/support/ports/temp-folder.ts";
import { MemoryLog } from "../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import type { ApiConfig } from "../../../config/instance-options.ts";
import type { TlsPair } from "../../api/http-app.ts";
import { PrometheusMetrics } from "../../ports/prometheus-metrics.ts";
import { Teardown } from "../process/teardown.ts";
import { RunningInstance } from "./running-instance.ts";
import { type ApiContext, makePair, startApi } from "./start-run-http.ts";

const DAY_MS = 86_400_000;

let folder: TempFolder;
let log: MemoryLog;
let clock: VirtualClock;
let teardown: Teardown;
let instance: RunningInstance;
beforeEach(() => {
  folder = makeTempFolder("start-api");
  log = new MemoryLog();
  clock = new VirtualClock();
  teardown = new Teardown();
  const ports = { clock } as unknown as ConstructorParameters<typeof RunningInstance>[1];
  instance = new RunningInstance(new PrometheusMetrics([], { process: false }), ports);
  instance.waitFor(null);
});
afterEach(async () => {
  await teardown.run(log);
  folder.remove();
});

const file = (name: string): string => join(folder.path, name);
const FILES = { certFile: "cert.pem", keyFile: "key.pem" };

function write({ cert, key }: TlsPair): void {
  writeFileSync(file(FILES.certFile), cert);
  writeFileSync(file(FILES.keyFile), key);
}

/** The port that it listens at. */
async function start(more: Partial<ApiConfig> = {}): Promise<number> {
  const api: ApiConfig = { port: 0, tokenFile: file("token"), tls: null, ...more };
  const config = { api, http: { address: "127.0.0.1", port: 0 } };
  await startApi({ config, teardown, ports: { log, clock } } as unknown as ApiContext, instance);
  const line = log.lines.find(({ message }) => message === "API listens");
  return Number(new URL(String(line?.fields["address"])).port);
}

/** The certificate that a new connection is shown. */
function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

const printOf = ({ cert }: TlsPair): string => new X509Certificate(cert).fingerprint256;
const pairOf = () => ({ certFile: file(FILES.certFile), keyFile: file(FILES.keyFile) });

test("a Pod without its token is ready and works; its probe and its log say what is missing", async () => {
  await start();
  const check = instance.checks().find(({ name }) => name === "api token");
  expect(check).toMatchObject({ ok: false, readyAnyway: true });
  expect(check?.message).toContain("kubectl create secret generic");
  const warned = log.lines.filter(({ message }) => message === "API has no token");
  expect(warned).toHaveLength(1);
  writeFileSync(file("token"), "0123456789abcdef");
  expect(instance.checks().find(({ name }) => name === "api token")?.ok).toBe(true);
});

test("its certificate is made, or is that of the files, also when these are renewed", async () => {
  const made = await start();
  expect(await shown(made)).not.toBe("");
  log.lines.length = 0;
  const [first, second] = [await makePair(Date.now()), await makePair(Date.now() + DAY_MS)];
  write(first);
  const port = await start({ tls: pairOf() });
  expect(await shown(port)).toBe(printOf(first));
  writeFileSync(file(FILES.certFile), second.cert);
  await clock.advance(61_000);
  await settled("API keeps its certificate");
  expect(await shown(port)).toBe(printOf(first));
  write(second);
  await clock.advance(61_000);
  await settled("API has another certificate");
  expect(await shown(port)).toBe(printOf(second));
});

/** Files are read beside virtual time. */
async function settled(message: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (log.lines.some((line) => line.message === message)) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(`not logged: ${message}`);
}

test("a certificate that is not there, or not the key's, ends the start and names the files", async () => {
  const refused = { code: "CertificateUnusable" };
  await expect(start({ tls: pairOf() })).rejects.toMatchObject(refused);
  const [one, other] = [await makePair(Date.now()), await makePair(Date.now())];
  write({ cert: one.cert, key: other.key });
  await expect(start({ tls: pairOf() })).rejects.toThrow(/cert\.pem.*key\.pem.*not the cert/);
  rmSync(file(FILES.keyFile));
  await expect(start({ tls: pairOf() })).rejects.toThrow(/give a certificate and its key/);
});

test("a port in use is told with the option that changes it", async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await expect(start({ port })).rejects.toThrow(/choose another port with --api-port/);
  await new Promise((done) => taken.close(done));
});
