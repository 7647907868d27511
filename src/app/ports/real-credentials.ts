/**
 * Files and credential plugins for cluster access. A plugin's output is handed back and never
 * logged.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type {
  CredentialPorts,
  ExecCommand,
  ExecResult,
} from "@zonekeeper/kube/client/access/credentials";

/** Enough for any token or certificate; a plugin that writes more is broken. */
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** The real world of credentials. */
export function realCredentialPorts(clock: Clock): CredentialPorts {
  return { clock, exec: runPlugin, readFile: (path) => readFile(path, "utf8") };
}

/**
 * No terminal and no input; stderr goes to ours, so that a plugin can tell its user what is wrong.
 */
function runPlugin({ command, args, env, timeoutMs }: ExecCommand): Promise<ExecResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
      // A process group of its own: what a wrapper script has started ends with it.
      detached: true,
    });
    const giveUp = (why: string): void => {
      clearTimeout(timer);
      endGroup(child);
      // Not at "close": whoever left the group may hold the pipe open for ever.
      child.stdout.destroy();
      reject(new Error(why));
    };
    const timer = setTimeout(() => giveUp(`it took more than ${timeoutMs} ms`), timeoutMs);
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) giveUp(`it wrote more than ${OUTPUT_BYTES_MAX} bytes`);
      else chunks.push(chunk);
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (exitCode) => {
      clearTimeout(timer);
      if (exitCode === null) reject(new Error("it was ended by a signal"));
      else resolve({ exitCode, stdout: Buffer.concat(chunks).toString() });
    });
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // No such group: it ended by itself, or the system knows no groups.
    child.kill("SIGKILL");
  }
}
