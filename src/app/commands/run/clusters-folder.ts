/**
 * Reads the further source clusters that the files of a folder name (file name = id, content =
 * kubeconfig), every two seconds.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import type { ProgramPorts } from "../../ports/real-ports.ts";
import { type GivenCluster, OF_FILE, readCluster } from "./given-cluster.ts";

const POLL_MS = 2_000;
/** Endings of file names that are no part of the id. */
const ENDING = /\.(ya?ml|kubeconfig)$/;

/**
 * Calls the listener with all clusters, at first and after each change, until the signal aborts.
 * While the folder cannot be read, the clusters of before stay.
 */
export async function followFolder(
  folder: string,
  { clock, log }: Pick<ProgramPorts, "clock" | "log">,
  listener: (given: readonly GivenCluster[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  let trouble = "";
  while (!signal.aborted) {
    try {
      const given = await givenByFiles(folder);
      const print = given.map((one) => `${one.origin} ${one.print}`).join("\n");
      if (print !== last || trouble !== "") listener(given);
      [last, trouble] = [print, ""];
    } catch (error) {
      const reason = messageOf(error);
      const text = "the folder of kubeconfigs cannot be read: what it named goes on";
      if (reason !== trouble) log.warn(text, { folder, reason });
      trouble = reason;
    }
    await sleep(clock, POLL_MS, signal);
  }
}

/** Rejects where folder or file cannot be read. */
async function givenByFiles(folder: string): Promise<readonly GivenCluster[]> {
  // Kubernetes mounts Secrets with links whose names begin with a dot; these are no clusters.
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path, "utf8");
      const read = readCluster(name.replace(ENDING, ""), path, text);
      return { ...read, ...OF_FILE };
    }),
  );
}
