/**
 * The image of this checkout as script/build-image makes it, and containers of it made of
 * namespaces alone (unshare, chroot): for root on Linux, without a container engine.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Child } from "./child.ts";
import { runOk } from "./run.ts";

/** As the OCI names them. */
export type Architecture = "amd64" | "arm64";

/** What config.md of the OCI's image-spec has, as far as it is used. */
interface ImageConfig {
  readonly architecture: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
}

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

/** A built one. */
export interface Image extends ImageConfig {
  /** Of the configuration, which names the layers before compression. */
  readonly id: string;
  readonly compressedBytes: number;
  /** Paths of `.tar.gz`, the lowest first. */
  readonly layers: readonly string[];
}

/** A limit: it takes half a minute. */
export const BUILD_LIMIT_MS = 1_200_000;

/** Builds into `folder`; level 1 compresses in a second, the default as a release does. */
export async function buildImage(
  folder: string,
  architecture: Architecture,
  level?: number,
): Promise<Image> {
  const env = level === undefined ? {} : { ZONEKEEPER_IMAGE_LEVEL: String(level) };
  const args = ["script/build-image", folder, architecture];
  await runOk("bash", args, { env, timeoutMs: BUILD_LIMIT_MS });
  const path = ({ digest }: Descriptor) => join(folder, "blobs", digest.replace(":", "/"));
  const blob = (of: Descriptor) => JSON.parse(readFileSync(path(of), "utf8"));
  const [manifestAt] = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")).manifests;
  const manifest = blob(manifestAt) as { config: Descriptor; layers: readonly Descriptor[] };
  return {
    ...(blob(manifest.config) as ImageConfig),
    id: manifest.config.digest,
    compressedBytes: manifest.layers.reduce((sum, { size }) => sum + size, 0),
    layers: manifest.layers.map(path),
  };
}

/** Unpacks the layers into a folder, as root with the owners that they name. */
export function unpack({ layers }: Image, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const layer of layers) execFileSync("tar", ["-xzpf", layer, "-C", into]);
}

/** A folder or file of this host that a container sees. */
interface Mount {
  readonly from: string;
  readonly to: string;
  readonly readOnly: boolean;
}

/** How one is started. */
export interface ContainerOptions {
  readonly image: Image;
  /** Where it is unpacked; containers may share it, since they cannot write to it. */
  readonly root: string;
  readonly logFile: string;
  readonly mounts?: readonly Mount[];
  /** Besides the image's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** In place of the image's `Cmd`. */
  readonly args?: readonly string[];
}

/**
 * What a runtime of containers does: `$1` is the root, then mounts until `--`, then a command.
 * Nothing of the environment but what `env -i` is given reaches it.
 */
const SCRIPT = `
set -e
root="$1"; shift
mount --bind "$root" "$root"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  [ "$3" = rw ] || mount -o remount,bind,ro "$root$2"
  shift 3
done
shift
mount -o remount,bind,ro "$root"
mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc"
exec "$@"
`;

/** A running program of the image, as PID 1 of its own namespace on a read-only root. */
export class Container {
  readonly #child: Child;

  private constructor(child: Child) {
    this.#child = child;
  }

  /** Does not wait until it is ready. The user is the image's, without any capability. */
  static async start(options: ContainerOptions): Promise<Container> {
    const { image, root, logFile, mounts = [], env = {}, args } = options;
    const { User, Env, Entrypoint, Cmd } = image.config;
    const all = [{ from: "/dev/null", to: "/dev/null", readOnly: false }, ...mounts];
    makeMountPoints(root, all);
    const environment = [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const child = await Child.start({
      command: "unshare",
      args: [
        ...["--mount", "--pid", "--fork", "--kill-child=KILL", "bash", "-c", SCRIPT, "bash", root],
        ...all.flatMap(({ from, to, readOnly }) => [from, to, readOnly ? "ro" : "rw"]),
        ...["--", "setpriv", "--no-new-privs", "env", "-i", ...environment],
        ...["/usr/sbin/chroot", `--userspec=${User}`, "--groups=", root],
        ...[...Entrypoint, ...(args ?? Cmd)],
      ],
      logFile,
    });
    return new Container(child);
  }

  /** Of `/proc/PID/NAME`, where PID is that of the program in this namespace. */
  proc(name: string): string {
    return readFileSync(`/proc/${this.#pid}/${name}`, "utf8");
  }

  get running(): boolean {
    return this.#child.running;
  }

  logTail(): string {
    return this.#child.logTail();
  }

  /** Waits for its end; the exit code. */
  async ended(): Promise<number | null> {
    await this.#child.ended();
    return this.#child.exitCode;
  }

  /** Sends SIGTERM to the program alone and waits for its end; the exit code. */
  stop(): Promise<number | null> {
    process.kill(this.#pid, "SIGTERM");
    return this.ended();
  }

  /** Idempotent. */
  async remove(): Promise<void> {
    await this.#child.kill9();
  }

  /** What unshare has forked, and what the script has become. */
  get #pid(): number {
    const { pid } = this.#child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
  }
}

/** Runtimes make them, too. */
function makeMountPoints(root: string, mounts: readonly Mount[]): void {
  mkdirSync(join(root, "proc"), { recursive: true });
  for (const { from, to } of mounts) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    if (from === "/dev/null") closeSync(openSync(join(root, to), "a"));
    else mkdirSync(join(root, to), { recursive: true });
  }
}
