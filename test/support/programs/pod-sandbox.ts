/**
 * What a Pod has of the kernel: a network of its own with one address that the host reaches, and a
 * host name. `ip` of iproute2 and root make it; no kubelet and no image are needed.
 */
import { execFileSync } from "node:child_process";
import { connect, createServer, type Server } from "node:net";
import { Child } from "./child.ts";

/** Two addresses for each, of a net for measurements (RFC 2544). */
const NET = "198.18";
const IP = "ip";

/** One network; its processes are the caller's to end. */
export class PodSandbox {
  /** Also its host name. */
  readonly name: string;
  /** Its own address. */
  readonly address: string;
  /** The host's, as it sees it. */
  readonly host: string;
  readonly #space: string;
  readonly #relays: Server[] = [];

  private constructor(name: string, index: number) {
    this.name = name;
    this.#space = `zk${process.pid}-${index}`;
    const block = (process.pid % 250) + 1;
    this.host = `${NET}.${block}.${index * 4 + 1}`;
    this.address = `${NET}.${block}.${index * 4 + 2}`;
  }

  /** `index` from 0 on, one for each Pod of a test. */
  static create(name: string, index: number): PodSandbox {
    const pod = new PodSandbox(name, index);
    const space = pod.#space;
    const [outer, inner] = [`${space}h`, `${space}p`];
    ip("netns", "add", space);
    try {
      ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", space);
      ip("address", "add", `${pod.host}/30`, "dev", outer);
      ip("link", "set", outer, "up");
      ip("-n", space, "address", "add", `${pod.address}/30`, "dev", inner);
      ip("-n", space, "link", "set", inner, "up");
      ip("-n", space, "link", "set", "lo", "up");
    } catch (error) {
      pod.remove();
      throw error;
    }
    return pod;
  }

  /** Leads connections from inside to a port of 127.0.0.1 of the host; resolves with its port. */
  async relay(port: number): Promise<number> {
    const server = createServer((inner) => {
      const outer = connect(port, "127.0.0.1");
      inner.pipe(outer).pipe(inner);
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const)
        one.on("error", () => other.destroy()).once("close", () => other.destroy());
    });
    this.#relays.push(server);
    await new Promise<void>((done) => server.listen(0, this.host, done));
    const bound = server.address();
    return typeof bound === "object" && bound !== null ? bound.port : 0;
  }

  /** Starts a program in it, under its host name. */
  start(line: readonly string[], logFile: string): Promise<Child> {
    const named = ["sh", "-c", 'hostname "$0" && exec "$@"', this.name, ...line];
    return Child.start({
      command: IP,
      args: ["netns", "exec", this.#space, "unshare", "--uts", ...named],
      logFile,
    });
  }

  remove(): void {
    for (const relay of this.#relays) relay.close();
    ip("netns", "delete", this.#space);
  }
}

function ip(...args: readonly string[]): void {
  execFileSync(IP, args, { stdio: ["ignore", "ignore", "pipe"] });
}
