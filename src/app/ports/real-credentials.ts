/** Files and credential plugins for cluster access. A plugin's output is handed back and never logged. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { CredentialPorts, ExecCommand, ExecResult } from "../../cluster/credentials.ts";
import type { Clock } from "../../ports/clock.ts";

/** Enough for any token or certificate; a plugin that writes more is broken. */
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** The real world of credentials. */
export function realCredentialPorts(clock: Clock): CredentialPorts {
  return { clock, exec: runPlugin, readFile: (path) => readFile(path, "utf8") };
}

/** No terminal and no input; stderr goes to ours, so that a plugin can tell its user what is wrong. */
function runPlugin({ command, args, env, timeoutMs }: ExecCommand): Promise<ExecResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.once("error", reject);
    child.once("close", (exitCode) => {
      if (exitCode === null) reject(new Error("it took too long, wrote too much or was ended"));
      else resolve({ exitCode, stdout: Buffer.concat(chunks).toString() });
    });
  });
}
