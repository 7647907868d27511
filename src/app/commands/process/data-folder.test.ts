import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Store } from "@zonekeeper/base/ports/store";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { afterAll, expect, test } from "vitest";
import { RealClock } from "../../ports/real-clock.ts";
import { RealRandom } from "../../ports/real-crypto.ts";
import { kubeconfigText } from "../dev/dev.ts";
import { loadIdentity } from "../dev/identity.ts";
import { loadCertificates } from "./certificates.ts";
import { lockFolder, openDataFolder } from "./data-folder.ts";

const root = mkdtempSync(join(tmpdir(), "zonekeeper-data-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const fresh = (): string => {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
};
const random = new RealRandom();
const mode = (file: string): number => statSync(file).mode & 0o777;

test("a folder is made, locked by one process, and free again after close", async () => {
  const path = join(root, "deep", "er");
  const first = await openDataFolder(path);
  expect(mode(path)).toBe(0o700);
  await expect(openDataFolder(path)).rejects.toThrow(`is used by process ${process.pid}`);
  first.close();
  (await openDataFolder(path)).close();
});

test("the lock of a dead process is taken over", async () => {
  const folder = fresh();
  const dead = spawn("true");
  await new Promise((resolve) => dead.once("exit", resolve));
  const holder = { pid: dead.pid, host: hostname(), started: "" };
  writeFileSync(join(folder, "lock.4"), JSON.stringify(holder));
  const lock = await lockFolder(folder);
  expect(readdirSync(folder)).toEqual(["lock.5"]);
  lock.release();
});

test("a holder that was killed and is not yet taken away does not count", async () => {
  const folder = fresh();
  // The shell's child becomes a zombie: exec replaces the parent by a program that never waits for
  // it.
  const parent = spawn("sh", ["-c", "sleep 0.05 & echo $!; exec sleep 5"]);
  const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
  const holder = { pid, host: hostname(), started: "" };
  writeFileSync(join(folder, "lock.1"), JSON.stringify(holder));
  (await lockFolder(folder)).release();
  parent.kill("SIGKILL");
});

test("a later process with the pid of a dead holder does not count as the holder", async () => {
  const folder = fresh();
  const holder = { pid: process.ppid, host: hostname(), started: "another-boot/1" };
  writeFileSync(join(folder, "lock.1"), JSON.stringify(holder));
  (await lockFolder(folder)).release();
});

test("a holder on another host is not judged", async () => {
  const folder = fresh();
  writeFileSync(join(folder, "lock.1"), JSON.stringify({ pid: 1, host: "elsewhere", started: "" }));
  await expect(lockFolder(folder)).rejects.toThrow(
    /process 1 on host elsewhere; if it has ended, remove/,
  );
});

test.each(["", "{", '{"pid":"x"}', '{"pid":-1,"host":"a","started":""}'])(
  "a lock that cannot be understood is named: %j",
  async (text) => {
    const folder = fresh();
    writeFileSync(join(folder, "lock.1"), text);
    await expect(lockFolder(folder)).rejects.toThrow(
      `${join(folder, "lock.1")} cannot be understood`,
    );
  },
);

test("of many contenders for a dead holder's lock exactly one wins", async () => {
  const folder = fresh();
  const dead = spawn("true");
  await new Promise((resolve) => dead.once("exit", resolve));
  const holder = { pid: dead.pid, host: hostname(), started: "" };
  writeFileSync(join(folder, "lock.1"), JSON.stringify(holder));
  const { build } = await import("esbuild");
  const outfile = join(root, "contender.mjs");
  await build({
    stdin: {
      contents: `import { lockFolder } from "./src/app/commands/process/data-folder.ts";
        const until = Number(process.argv[3]);
        while (Date.now() < until);
        try { await lockFolder(process.argv[2]); console.log("won"); setInterval(() => {}, 3000); }
        catch (error) { console.log(error.code); }`,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const startAt = String(Date.now() + 700);
  const contenders = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [outfile, folder, startAt]),
  );
  const reports = await Promise.all(
    contenders.map(
      (contender) =>
        new Promise<string>((resolve) => {
          contender.stdout.once("data", (data: Buffer) => resolve(String(data).trim()));
          contender.once("exit", () => resolve("silent"));
        }),
    ),
  );
  for (const contender of contenders) contender.kill();
  expect(reports.filter((report) => report === "won")).toHaveLength(1);
  expect(reports.filter((report) => report === "DataFolderLocked")).toHaveLength(7);
});

test("a path that is a file, or may not be written, is a DataFolderUnusable", async () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  await expect(openDataFolder(file)).rejects.toThrow("that path is a file");
  await expect(openDataFolder(join(file, "below"))).rejects.toThrow("that path is a file");
  await expect(openDataFolder("/proc/nothing/at/all")).rejects.toThrow("no folder can be made");
  if (process.getuid?.() === 0) return;
  const closed = fresh();
  chmodSync(closed, 0o500);
  await expect(openDataFolder(closed)).rejects.toThrow("permission denied");
});

function identityIn(folder: string, store: Store = new MemoryStore()) {
  const [file, storeFile] = [join(folder, "identity.json"), join(folder, "store.mdb")];
  const load = (owner: string | null = null) =>
    loadIdentity({ file, storeFile, store, owner, random });
  return { file, store, load };
}

test("an identity is made once, private, and kept; a given owner replaces the kept one", async () => {
  const { file, load } = identityIn(fresh());
  const first = await load();
  expect(mode(file)).toBe(0o600);
  expect(first.owner).toMatch(/^dev-[0-9a-f]{8}$/);
  expect(await load()).toEqual(first);
  expect(await load("me")).toEqual({ ...first, owner: "me" });
  expect((await load()).owner).toBe("me");
});

test.each(["", "{}", '{"version":1,"owner":"s3cret', '{"version":2}'])(
  "a broken identity is refused and not replaced: %j",
  async (text) => {
    const { file, load } = identityIn(fresh());
    writeFileSync(file, text);
    await expect(load()).rejects.toThrow(`${file} cannot be understood`);
    await expect(load()).rejects.not.toThrow("s3cret");
    expect(readFileSync(file, "utf8")).toBe(text);
  },
);

test("a store that is gone or empty is refused beside an identity, with the remedy", async () => {
  const folder = fresh();
  const { owner } = await identityIn(folder).load();
  const again = identityIn(folder);
  await expect(again.load()).rejects.toMatchObject({
    code: "StoreMissing",
    message: expect.stringContaining(`zones of owner ${owner} are gone. Restore it, or remove`),
  });
  expect([...again.store.range("")], "and the next start is refused, too").toEqual([]);
});

test("an identity that is gone is not made anew beside a store, with the remedy", async () => {
  const folder = fresh();
  const { file, store, load } = identityIn(folder);
  await load();
  await store.write([{ put: "api/x", value: "{}" }]);
  rmSync(file);
  await expect(load()).rejects.toMatchObject({
    code: "IdentityMissing",
    message: expect.stringContaining("Restore it, or remove the whole folder to begin anew"),
  });
  expect(existsSync(file)).toBe(false);
});

test("a first start that is killed between the store and the identity begins again", async () => {
  const { file, store, load } = identityIn(fresh());
  await load();
  rmSync(file);
  expect([...store.range("")]).toHaveLength(1);
  expect((await load()).owner).toMatch(/^dev-/);
});

function certificateFiles() {
  const folder = fresh();
  return {
    caCertificate: join(folder, "ca.crt"),
    caKey: join(folder, "ca.key"),
    serverCertificate: join(folder, "server.crt"),
    serverKey: join(folder, "server.key"),
  };
}
const atMs = (nowMs: number): Clock => ({
  nowMs: () => nowMs,
  monotonicMs: () => 0,
  setTimer: () => ({ cancel() {} }),
});
const HOSTS = ["127.0.0.1", "localhost"];
const DAY_MS = 86_400_000;

test("certificates are issued once, private, for the hosts, and signed by the CA", async () => {
  const files = certificateFiles();
  const first = await loadCertificates(files, HOSTS, new RealClock());
  const ca = new X509Certificate(first.caCertificate);
  const server = new X509Certificate(first.certificate);
  expect(ca.ca).toBe(true);
  expect(server.verify(ca.publicKey)).toBe(true);
  expect(server.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(server.checkHost("localhost")).toBe("localhost");
  expect(Object.values(files).map(mode)).toEqual([0o600, 0o600, 0o600, 0o600]);
  expect(await loadCertificates(files, HOSTS, new RealClock())).toEqual(first);
});

test("a server certificate that runs out, or misses a host, is renewed by the same CA", async () => {
  const files = certificateFiles();
  const first = await loadCertificates(files, HOSTS, new RealClock());
  const later = await loadCertificates(files, HOSTS, atMs(Date.now() + 340 * DAY_MS));
  expect(later.caCertificate).toBe(first.caCertificate);
  expect(later.certificate).not.toBe(first.certificate);
  const wider = await loadCertificates(files, [...HOSTS, "192.0.2.7"], new RealClock());
  expect(wider.caCertificate).toBe(first.caCertificate);
  expect(new X509Certificate(wider.certificate).checkIP("192.0.2.7")).toBe("192.0.2.7");
});

test("a crash between the four files leaves nothing that cannot be repaired", async () => {
  for (const lost of ["caCertificate", "serverCertificate", "serverKey", "caKey"] as const) {
    const files = certificateFiles();
    await loadCertificates(files, HOSTS, new RealClock());
    rmSync(files[lost]);
    const again = await loadCertificates(files, HOSTS, new RealClock());
    const ca = new X509Certificate(again.caCertificate);
    expect(new X509Certificate(again.certificate).verify(ca.publicKey)).toBe(true);
    expect(existsSync(files[lost])).toBe(true);
  }
});

test("a certificate that cannot be read is named", async () => {
  const files = certificateFiles();
  await loadCertificates(files, HOSTS, new RealClock());
  writeFileSync(files.caCertificate, "nonsense");
  await expect(loadCertificates(files, HOSTS, new RealClock())).rejects.toThrow("remove ca.crt");
});

test("a server key that is garbage or another's is replaced; a garbage CA key is named", async () => {
  const files = certificateFiles();
  const first = await loadCertificates(files, HOSTS, new RealClock());
  for (const text of ["garbage", readFileSync(files.caKey, "utf8")]) {
    writeFileSync(files.serverKey, text);
    const again = await loadCertificates(files, HOSTS, new RealClock());
    expect(again.caCertificate).toBe(first.caCertificate);
    expect(again.key).not.toBe(text);
    expect(await loadCertificates(files, HOSTS, new RealClock())).toEqual(again);
  }
  writeFileSync(files.caKey, "garbage");
  writeFileSync(files.serverKey, "garbage");
  const broken = loadCertificates(files, HOSTS, new RealClock());
  await expect(broken).rejects.toMatchObject({
    code: "CertificatesBroken",
    message: expect.stringContaining("ca.key in the data folder cannot be read. Restore it, or"),
  });
});

test("a TLS client that trusts the CA reaches the server by address", async () => {
  const { startHttpServer } = await import("../../ports/real-http-server.ts");
  const { RealHttpClient } = await import("../../ports/real-http-client.ts");
  const { makeLog } = await import("../../ports/pino-log.ts");
  const tls = await loadCertificates(certificateFiles(), HOSTS, new RealClock());
  const server = await startHttpServer({
    handler: async (request) => ({
      status: request.headers["authorization"] === "Bearer t" ? 200 : 401,
      headers: {},
      body: (async function* () {})(),
    }),
    at: { host: "127.0.0.1", port: 0 },
    tls: { cert: tls.certificate, key: tls.key },
    log: makeLog({ level: "error", format: "json", sink: { write() {} } }),
  });
  const origin = `https://127.0.0.1:${server.local.port}`;
  const authorization = async (): Promise<string> => "Bearer t";
  const request = {
    method: "GET",
    path: "/",
    headers: {},
    body: null,
    signal: new AbortController().signal,
  };
  const trusting = new RealHttpClient({ origin, tls: { ca: tls.caCertificate }, authorization });
  expect((await trusting.request(request)).status).toBe(200);
  const distrustful = new RealHttpClient({ origin, authorization });
  await expect(distrustful.request(request)).rejects.toMatchObject({ code: "ConnectFailed" });
  const careless = new RealHttpClient({ origin, tls: { insecureSkipVerify: true } });
  expect((await careless.request(request)).status).toBe(401);
  for (const client of [trusting, distrustful, careless]) client.close();
  await server.close(0);
});

test("the kubeconfig says where, whom to trust and who is asking", () => {
  const text = kubeconfigText({ server: "https://127.0.0.1:1", caCertificate: "CA", token: "t" });
  expect(text).toContain("server: https://127.0.0.1:1");
  expect(text).toContain("certificate-authority-data: Q0E=");
  expect(text).toContain("current-context: zonekeeper-dev");
});
