/**
 * The image: what is in it, and that the program works in it as in a Pod with a read-only root and
 * no volume. Containers are namespaces of this test (test/support/programs/image.ts).
 */
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import {
  type Architecture,
  BUILD_LIMIT_MS,
  buildImage,
  Container,
  type Image,
  unpack,
} from "../support/programs/image.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal, isCampaign } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const HERE: Architecture = process.arch === "arm64" ? "arm64" : "amd64";
const OTHER: Architecture = HERE === "arm64" ? "amd64" : "arm64";
/** `e_machine` at byte 18 (ELF): EM_X86_64, EM_AARCH64. */
const MACHINES = { amd64: 62, arm64: 183 };
/** As a release compresses it. */
const BYTES_MAX = 45_000_000;
/** What it is larger at the level of a test, at most. */
const LEVEL_RATIO = 1.04;
const USER_ID = 65532;
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

interface Bill {
  readonly components: readonly { readonly purl: string; readonly licenses: readonly object[] }[];
}

describeReal("the image", ["image", "kubectl-1.32", "bind"], () => {
  let folder: TempFolder;
  let image: Image;
  let session: RunSession;
  let zone: RealZone;
  let port: FreePort;
  let log: string;
  const containers: Container[] = [];
  const root = (): string => join(folder.path, "root");
  const files = (): readonly string[] =>
    readdirSync(root(), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));

  beforeAll(async () => {
    folder = makeTempFolder("image");
    // A release compresses a thirtieth better, in nine times the CPU.
    const level = isCampaign("release") ? undefined : 6;
    image = await buildImage(join(folder.path, "image"), HERE, level);
    unpack(image, root());
    log = join(folder.path, "log");
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    port = await claimPort();
    await session.user.apply(account("net", zone.server));
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
  }, BUILD_LIMIT_MS);
  afterAll(async () => {
    await Promise.all(containers.map((container) => container.remove()));
    port?.release();
    await session?.close();
    await zone?.server.stop();
    folder?.remove();
  });

  async function start(
    args: readonly string[],
    volume: string | null = null,
    readOnly = false,
  ): Promise<Container> {
    writeFileSync(log, "");
    const account = join(folder.path, "account");
    mkdirSync(account, { recursive: true });
    writeFileSync(join(account, "ca.crt"), readFileSync(session.server.caFile));
    writeFileSync(join(account, "token"), session.server.tokenOf("admin"));
    writeFileSync(join(account, "namespace"), "default");
    const data = volume === null ? [] : [{ from: volume, to: "/data", readOnly }];
    const container = await Container.start({
      ...{ image, root: root(), logFile: log, args },
      mounts: [{ from: account, to: SERVICE_ACCOUNT, readOnly: true }, ...data],
      env: {
        KUBERNETES_SERVICE_HOST: "127.0.0.1",
        KUBERNETES_SERVICE_PORT: new URL(session.server.url).port,
      },
    });
    containers.push(container);
    return container;
  }

  /** As a volume with `fsGroup` is. */
  function makeVolume(name: string): string {
    const path = join(folder.path, name);
    mkdirSync(path);
    chmodSync(path, 0o770);
    chownSync(path, USER_ID, USER_ID);
    return path;
  }

  const runArgs = (...more: readonly string[]): readonly string[] => [
    ...["run", "--owner", "image", "--provider-trusted-namespaces", "*"],
    ...["--http-address", "127.0.0.1", "--http-port", String(port.port), ...more],
  ];

  async function get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(`http://127.0.0.1:${port.port}${path}`).catch(() => null);
    return answer === null
      ? { status: 0, text: "" }
      : { status: answer.status, text: await answer.text() };
  }

  async function isReady(container: Container): Promise<void> {
    await eventually(
      "/readyz answers 200",
      async () => ({ ...(await get("/readyz")), log: container.logTail() }),
      ({ status }) => {
        if (!container.running) throw new Error(`it has ended: ${container.logTail()}`);
        return status === 200;
      },
    );
  }

  const holder = async (): Promise<unknown> =>
    ((await session.user.get("lease", "zonekeeper"))["spec"] as Record<string, unknown>)[
      "holderIdentity"
    ];

  test("says who it is, holds no shell, and is not large", () => {
    const { User, Entrypoint, Cmd, Labels } = image.config;
    expect([User, Entrypoint, Cmd]).toEqual([
      `${USER_ID}:${USER_ID}`,
      ["/usr/local/bin/node", "/app/zonekeeper.js"],
      ["run"],
    ]);
    expect(Labels).toMatchObject({
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.licenses": "Apache-2.0",
      "org.opencontainers.image.revision": expect.stringMatching(/^[0-9a-f]{40}/),
    });
    const machineCode = files().filter((file) => readFileSync(file).subarray(0, 4).equals(ELF));
    const programs = machineCode.filter((file) => !/\.so(\.|$)|\.node$/.test(file));
    expect(programs.map((file) => relative(root(), file))).toEqual(["usr/local/bin/node"]);
    const ratio = isCampaign("release") ? 1 : LEVEL_RATIO;
    expect(image.compressedBytes / ratio).toBeLessThan(BYTES_MAX);
  });

  test("its bill of materials has what is inside, each with a licence", () => {
    const text = readFileSync(join(root(), "app/sbom.cdx.json"), "utf8");
    expect(readFileSync(join(folder.path, "image.cdx.json"), "utf8")).toBe(text);
    const { components } = JSON.parse(text) as Bill;
    const names = components.map(({ purl }) => purl.split("@").slice(0, -1).join("@"));
    expect(names).toEqual(expect.arrayContaining(["pkg:npm/fastify", "pkg:npm/lmdb"]));
    expect(names).toEqual(expect.arrayContaining(["pkg:deb/debian/libc6"]));
    expect(names.filter((name) => /\/(?:esbuild|vitest|typescript)$/.test(name))).toEqual([]);
    expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
    const notices = readFileSync(join(root(), "app/LICENSES.txt"), "utf8");
    for (const { purl } of components.filter((one) => one.purl.startsWith("pkg:npm/")))
      if (!purl.includes("/node-linux-"))
        expect(notices).toContain(decodeURIComponent(purl.slice("pkg:npm/".length)));
    expect(notices).toContain("OpenLDAP Public License");
  });

  // Builds cost half a minute each: these are the campaign's (script/campaign release).
  if (isCampaign("release")) {
    test("a second build has the same content", { timeout: BUILD_LIMIT_MS }, async () => {
      const second = await buildImage(join(folder.path, "second"), HERE, 1);
      expect(second.id).toBe(image.id);
    });

    test(`${OTHER} is built without emulation`, { timeout: BUILD_LIMIT_MS }, async () => {
      const other = await buildImage(join(folder.path, "other"), OTHER, 1);
      expect(other.architecture).toBe(OTHER);
      const unpacked = join(folder.path, "other-root");
      unpack(other, unpacked);
      const machines = readdirSync(unpacked, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map((file) => readFileSync(join(file.parentPath, file.name)))
        .filter((bytes) => bytes.subarray(0, 4).equals(ELF))
        .map((bytes) => bytes.readUInt16LE(18));
      expect(machines.length).toBeGreaterThan(5);
      expect([...new Set(machines)]).toEqual([MACHINES[OTHER]]);
    });
  }

  test("prints its version", async () => {
    const container = await start(["--version"]);
    expect(await container.ended()).toBe(0);
    expect(container.logTail()).toMatch(new RegExp(`^zonekeeper ${version} \\(node v\\d`));
  });

  test("publishes as PID 1 without a place to write to, and gives its Lease back", async () => {
    const container = await start(runArgs());
    await isReady(container);
    await zone.becomes("www", "A", "192.0.2.1");
    const status = container.proc("status");
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(new RegExp(`^Uid:(\t${USER_ID}){4}$`, "m"));
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(container.proc("maps")).toContain("/usr/local/bin/node");
    expect(container.proc("maps")).not.toContain(".node\n");
    expect((await get("/metrics")).text).toContain(`zonekeeper_build_info{version="${version}"`);
    expect(await holder()).not.toBe("");
    expect([await container.stop(), await holder()]).toEqual([0, ""]);
  });

  test("--data where it may not write is told with what to do, and changes no record", async () => {
    const before = await zone.serial();
    await session.user.apply(entry("new", zone.name("new"), { targets: ["192.0.2.2"] }));
    const closed = join(folder.path, "closed");
    mkdirSync(closed);
    for (const [data, volume, readOnly, why] of [
      ["/data", closed, false, "permission denied for user 65532"],
      ["/data", makeVolume("read-only"), true, "the file system is read-only"],
      ["/nothing", null, false, "the file system is read-only"],
    ] as const) {
      const container = await start(runArgs("--data", data), volume, readOnly);
      expect(await container.ended()).toBe(1);
      expect(container.logTail()).toContain(`the data folder ${data} cannot be used: ${why}`);
      expect(container.logTail()).toContain("in a Pod mount a volume there, with fsGroup");
    }
    expect(await zone.serial()).toBe(before);
  });

  test("--data on a volume of its own loads lmdb and works", async () => {
    const volume = makeVolume("volume");
    const container = await start(runArgs("--data", "/data"), volume);
    await isReady(container);
    await zone.becomes("new", "A", "192.0.2.2");
    expect(container.proc("maps")).toMatch(/lmdb|\.node$/m);
    expect(readdirSync(volume)).toContain("store.mdb");
    expect(await container.stop()).toBe(0);
  });
});

const ELF = Buffer.from("7f454c46", "hex");
