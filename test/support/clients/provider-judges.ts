/**
 * Other people's programs that judge providers and fakes, made by script/judge from
 * test/real/provider-judges: each runs as a process of its own, for this machine only.
 */
import { join, resolve } from "node:path";
import { eventually } from "../ports/eventually.ts";
import { claimPort } from "../ports/free-port.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { Child } from "../programs/child.ts";
import { runOk } from "../programs/run.ts";

const SOURCES = resolve("test/real/provider-judges");

/** The Python of the newest build; it need not exist. */
export function judgePython(): string {
  return resolve("node_modules/.cache/zonekeeper/provider-judges/current/bin/python");
}

/** What an account of AWS needs that takes any key. */
export const ANY_AWS_KEY = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
  AWS_DEFAULT_REGION: "us-east-1",
  AWS_EC2_METADATA_DISABLED: "true",
} as const;

/** The lines that a script prints; throws with all it said where it fails. */
export async function runJudge(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const [script = "", ...more] = args;
  const path = script.endsWith(".py") ? [join(SOURCES, script)] : ["-m", script];
  const folder = makeTempFolder("judge");
  try {
    const output = await runOk(judgePython(), [...path, ...more], {
      env: { HOME: folder.path, PYTHONDONTWRITEBYTECODE: "1", ...env },
      cwd: folder.path,
    });
    return output.split("\n").filter((line) => line !== "");
  } finally {
    folder.remove();
  }
}

/** A moto that runs: AWS in memory, by other people. */
export interface Moto {
  /** `http://127.0.0.1:port`. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Ready when it answers. */
export async function startMoto(): Promise<Moto> {
  const port = await claimPort();
  const folder = makeTempFolder("moto");
  const endpoint = `http://127.0.0.1:${port.port}`;
  const child = await Child.start({
    command: judgePython(),
    args: ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port.port)],
    logFile: join(folder.path, "log"),
    env: { HOME: folder.path, PYTHONDONTWRITEBYTECODE: "1" },
    cwd: folder.path,
  });
  const stop = async (): Promise<void> => {
    await child.stop();
    port.release();
    folder.remove();
  };
  const answers = async (): Promise<boolean> =>
    fetch(`${endpoint}/moto-api/data.json`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await eventually("moto answers", answers, Boolean);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
}
