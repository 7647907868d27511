/**
 * Ports for servers that tests start. A port is free for TCP and UDP, lies outside the kernel's
 * range for outgoing connections and is claimed by a file, because named shares ports silently
 * (SO_REUSEPORT) instead of failing.
 */
import { createSocket } from "node:dgram";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Below the ephemeral range of Linux (32768 to 60999), so that a restarted server finds its port
 * again.
 */
const PORT_MIN = 15000;
const PORT_COUNT = 15000;
const ATTEMPTS_MAX = 200;

/** A claimed port. */
export interface FreePort {
  readonly port: number;
  /** Gives it back; call when the server has ended. Idempotent. */
  release(): void;
}

/** Claims a port on 127.0.0.1. Throws after 200 attempts. */
export async function claimPort(): Promise<FreePort> {
  const folder = join(tmpdir(), "zonekeeper-ports");
  mkdirSync(folder, { recursive: true });
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = PORT_MIN + Math.floor(Math.random() * PORT_COUNT);
    const file = join(folder, String(port));
    if (!claim(file)) continue;
    if (await isFree(port)) return { port, release: () => rmSync(file, { force: true }) };
    rmSync(file, { force: true });
  }
  throw new Error(`no free port found on 127.0.0.1 in ${ATTEMPTS_MAX} attempts`);
}

/** True when the claim file is now ours; a claim of a process that has ended counts for nothing. */
function claim(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (isAlive(claimant(file))) return false;
    rmSync(file, { force: true });
    return false;
  }
}

function claimant(file: string): number {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

/** An empty file (0) is a claim that is being written: alive. */
function isAlive(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  return (await tcpIsFree(port)) && (await udpIsFree(port));
}

function tcpIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}

function udpIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(false));
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () =>
      socket.close(() => resolve(true)),
    );
  });
}
