/**
 * Credential plugins as processes: what hangs, floods or leaves children behind is ended in time.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../../../test/support/ports/eventually.ts";
import { RealClock } from "./real-clock.ts";
import { realCredentialPorts } from "./real-credentials.ts";

const folder = mkdtempSync(join(tmpdir(), "zonekeeper-plugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { exec } = realCredentialPorts(new RealClock());
const shell = (script: string, timeoutMs = 30_000) =>
  exec({ command: "sh", args: ["-c", script], env: { GIVEN: "yes" }, timeoutMs });

test("its output and exit code, with the given environment beside ours", async () => {
  expect(await shell('test -n "$PATH" && printf "$GIVEN"; exit 3')).toEqual({
    exitCode: 3,
    stdout: "yes",
  });
});

test("one that hangs in a child is given up in time, and the child ends with it", async () => {
  const file = join(folder, "child");
  const hanging = shell(`sleep 300 & echo $! > ${file}; wait`, 500);
  await expect(hanging).rejects.toThrow("it took more than 500 ms");
  const pid = Number(readFileSync(file, "utf8"));
  await eventually(
    "the child is gone",
    async () => isAlive(pid),
    (alive) => !alive,
  );
});

test("one that writes without end is ended", async () => {
  await expect(shell("exec yes s3cret")).rejects.toThrow(/^it wrote more than 1048576 bytes$/);
});

test("one that is not there", async () => {
  const missing = exec({ command: "/no/such", args: [], env: {}, timeoutMs: 1_000 });
  await expect(missing).rejects.toThrow("ENOENT");
});

function isAlive(pid: number): boolean {
  try {
    // A zombie that nobody has waited for yet is gone as well.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
