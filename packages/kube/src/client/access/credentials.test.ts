/**
 * Credentials stay fresh, plugins run as seldom as they may, and nothing secret gets into an error.
 */
import { beforeEach, expect, test } from "vitest";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { type ClusterAccess, emptyAccess } from "./cluster-access.ts";
import { ClusterCredentials, type ExecCommand } from "./credentials.ts";

let clock: VirtualClock;
let files: Record<string, string>;
let runs: ExecCommand[];
let output: () => { readonly exitCode: number; readonly stdout: string };

beforeEach(() => {
  clock = new VirtualClock();
  files = {};
  runs = [];
  output = () => ({ exitCode: 0, stdout: "" });
});

const EXEC = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: ["token"],
  env: { REGION: "x" },
  installHint: "see example.org",
  provideClusterInfo: true,
} as const;

function credentials(fields: Partial<ClusterAccess>): ClusterCredentials {
  const access = { ...emptyAccess("test", "https://api.example.org"), ...fields };
  return new ClusterCredentials(access, {
    clock,
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`no ${path}`);
      return text;
    },
    exec: async (command) => {
      runs.push(command);
      return output();
    },
  });
}

const credential = (status: Readonly<Record<string, unknown>>) => ({
  exitCode: 0,
  stdout: JSON.stringify({ apiVersion: EXEC.apiVersion, kind: "ExecCredential", status }),
});

test("a token, a user with a password, nothing", async () => {
  expect(await credentials({ token: "t" }).authorization()).toBe("Bearer t");
  const basic = credentials({ username: "ä", password: "p:w" });
  expect(await basic.authorization()).toBe(`Basic ${btoa("\u00c3\u00a4:p:w")}`);
  expect(await credentials({}).authorization()).toBeNull();
});

test("a token file is read again every minute and after a 401, and wins over a token", async () => {
  files["/token"] = "one\n";
  const subject = credentials({ tokenFile: "/token", token: "static" });
  expect(await subject.authorization()).toBe("Bearer one");
  files["/token"] = "two";
  await clock.advance(59_000);
  expect(await subject.authorization()).toBe("Bearer one");
  await clock.advance(1_000);
  expect(await subject.authorization()).toBe("Bearer two");
  files["/token"] = "three";
  subject.invalidate(subject.generation);
  expect(await subject.authorization()).toBe("Bearer three");
});

test("TLS material from data and files", async () => {
  files["/key"] = "KEY";
  const subject = credentials({
    caData: "CA",
    clientCertificateData: "CERT",
    clientKeyFile: "/key",
    tlsServerName: "name",
  });
  expect(await subject.tls()).toEqual({ ca: "CA", cert: "CERT", key: "KEY", servername: "name" });
  expect(await credentials({ insecureSkipTlsVerify: true }).tls()).toEqual({
    insecureSkipVerify: true,
  });
});

test("a plugin gets its environment and runs once until its credential expires", async () => {
  const subject = credentials({ exec: EXEC, caData: "CA" });
  output = () =>
    credential({
      token: `t${runs.length}`,
      expirationTimestamp: new Date(clock.nowMs() + 3_600_000).toISOString(),
    });
  const both = await Promise.all([subject.authorization(), subject.authorization()]);
  expect(both).toEqual(["Bearer t1", "Bearer t1"]);
  const [run] = runs;
  expect(run).toMatchObject({ command: "login", args: ["token"], env: { REGION: "x" } });
  expect(JSON.parse(run?.env["KUBERNETES_EXEC_INFO"] ?? "")).toEqual({
    apiVersion: EXEC.apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      cluster: { server: "https://api.example.org", "certificate-authority-data": btoa("CA") },
    },
  });
  await clock.advance(3_589_000);
  expect(await subject.authorization()).toBe("Bearer t1");
  await clock.advance(1_000);
  expect(await subject.authorization()).toBe("Bearer t2");
  subject.invalidate(subject.generation);
  expect(await subject.authorization()).toBe("Bearer t3");
});

test("many requests that are refused together run the plugin once more, not once each", async () => {
  const subject = credentials({ exec: EXEC });
  output = () => credential({ token: `t${runs.length}` });
  await subject.authorization();
  const { generation } = subject;
  subject.invalidate(generation);
  const renewed = subject.authorization();
  for (let i = 0; i < 10; i++) subject.invalidate(generation);
  expect([await renewed, await subject.authorization()]).toEqual(["Bearer t2", "Bearer t2"]);
  expect(runs).toHaveLength(2);
});

test("a wall clock that jumps: a credential that seems to last is given up after a 401", async () => {
  const subject = credentials({ exec: EXEC });
  const status = () => ({
    token: `t${runs.length}`,
    expirationTimestamp: new Date(clock.nowMs() + 60_000).toISOString(),
  });
  output = () => credential(status());
  expect(await subject.authorization()).toBe("Bearer t1");
  clock.jumpWallMs(86_400_000);
  expect(await subject.authorization()).toBe("Bearer t2");
  clock.jumpWallMs(-86_400_000);
  await clock.advance(120_000);
  expect(await subject.authorization()).toBe("Bearer t2");
  subject.invalidate(subject.generation);
  expect(await subject.authorization()).toBe("Bearer t3");
});

test("a plugin may give a client certificate", async () => {
  const subject = credentials({ exec: EXEC });
  output = () => credential({ clientCertificateData: "CERT", clientKeyData: "KEY" });
  expect(await subject.tls()).toEqual({ cert: "CERT", key: "KEY" });
  expect(await subject.authorization()).toBeNull();
  expect(runs).toHaveLength(1);
});

test("a plugin that fails is run again at the next request", async () => {
  const subject = credentials({ exec: EXEC });
  output = () => ({ exitCode: 3, stdout: "s3cret" });
  await expect(subject.authorization()).rejects.toMatchObject({
    code: "NoCredential",
    message: "test: the plugin login ended with exit code 3",
  });
  output = () => credential({ token: "t" });
  expect(await subject.authorization()).toBe("Bearer t");
});

test.each([
  ["no JSON", "s3cret", /no ExecCredential/],
  ["another version", '{"kind":"ExecCredential","apiVersion":"v0"}', /not of apiVersion/],
  ["nothing in it", credential({}).stdout, /neither a token nor/],
  [
    "a certificate alone",
    credential({ clientCertificateData: "s3cret" }).stdout,
    /without its key/,
  ],
  [
    "a strange time",
    credential({ token: "s3cret", expirationTimestamp: "soon" }).stdout,
    /RFC 3339/,
  ],
])("a plugin's answer that cannot be used: %s", async (_name, stdout, message) => {
  output = () => ({ exitCode: 0, stdout });
  const failure = credentials({ exec: EXEC }).authorization();
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.not.toThrow(/s3cret/);
});

test("a plugin that is not there: the hint is in the message; a missing file is named", async () => {
  output = () => {
    throw new Error("ENOENT");
  };
  await expect(credentials({ exec: EXEC }).tls()).rejects.toThrow(
    /login cannot be run; see example/,
  );
  await expect(credentials({ caFile: "/no/ca" }).tls()).rejects.toThrow(/\/no\/ca cannot be read/);
  files["/empty"] = "\n";
  await expect(credentials({ tokenFile: "/empty" }).authorization()).rejects.toThrow(/is empty/);
});
