/**
 * The folder in which an instance keeps what must survive it. Opening makes, checks and locks it. A
 * lock is a numbered file `lock.N`. The highest number counts and is never deleted, so that a
 * contender that slept cannot take a number that was used before. The lock of a dead process is
 * taken over by making the next number, which only one contender can do.
 */
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { messageOf, OperationError, permanent } from "@zonekeeper/base/operation-error";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { PRIVATE_MODE, writeDurably } from "../../ports/durable-file.ts";
import { systemCodeOf } from "../../ports/system-error.ts";

/** An open, locked folder. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** A path inside it. */
  file(name: string): string;
  /** Releases the lock. */
  close(): void;
}

/** Names of the files in the folder; nothing else is written there. */
export const FOLDER_FILES = {
  identity: "identity.json",
  store: "store.mdb",
  caCertificate: "ca.crt",
  caKey: "ca.key",
  serverCertificate: "server.crt",
  serverKey: "server.key",
  kubeconfig: "kubeconfig",
  ready: "ready.json",
  leftOff: "left-off-plug-ins.json",
} as const;

const REMEDY =
  "Choose another with --data, or repair it; in a Pod mount a volume there, with fsGroup in its securityContext";

/**
 * Makes the folder (0700) if it is not there and locks it. Rejects with OperationError
 * `DataFolderUnusable`, `DataFolderLocked` or `DataFolderLockBroken`, each with what to do.
 */
export async function openDataFolder(given: string): Promise<DataFolder> {
  const path = resolve(given);
  const lock = await prepare(path);
  return { path, file: (name) => join(path, name), close: () => lock.release() };
}

async function prepare(path: string): Promise<FolderLock> {
  try {
    makeFolder(path);
    if (!statSync(path).isDirectory()) throw new Error("that path is a file");
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await lockFolder(path);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw permanent(
      "DataFolderUnusable",
      `the data folder ${path} cannot be used: ${folderTrouble(error)}. ${REMEDY}`,
      error,
    );
  }
}

/**
 * Level by level: `recursive` of Node 20 never comes back from a place that refuses with ENOENT,
 * such as /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path, { mode: 0o700 });
}

function folderTrouble(error: unknown): string {
  switch (systemCodeOf(error)) {
    case "EACCES":
    case "EPERM":
      return `permission denied for user ${process.getuid?.() ?? ""}`;
    case "ENOENT":
      return "no folder can be made at that path";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
      return "no space is left on the device";
    case "EEXIST":
    case "ENOTDIR":
      return "that path is a file";
    default:
      return messageOf(error);
  }
}

/** A lock that is held until `release` or until the process ends in whatever way. */
interface FolderLock {
  /** Idempotent. */
  release(): void;
}

interface Holder {
  /** Null = released in good order. */
  readonly pid: number | null;
  readonly host: string;
  /** Tells a process from a later one with the same pid; empty where the platform does not say. */
  readonly started: string;
}

/** Rounds; in each one another contender has won. */
const ROUNDS_MAX = 20;

/** Milliseconds to wait for a lock: a process that was killed exists for a moment longer. */
const PATIENCE_MS = 600;
const RETRY_MS = 50;

/**
 * Takes the lock. Rejects with OperationError `DataFolderLocked` (names the pid) or
 * `DataFolderLockBroken`.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return takeLock(folder);
    } catch (error) {
      const isHeld = error instanceof OperationError && error.code === "DataFolderLocked";
      if (!isHeld || waitedMs >= PATIENCE_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function takeLock(folder: string): FolderLock {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const highest = highestNumber(folder);
    if (highest > 0) refuseIfHeld(folder, highest);
    const mine = highest + 1;
    if (!claim(folder, mine)) continue;
    if (highestNumber(folder) > mine) {
      unlinkSync(join(folder, `lock.${mine}`));
      continue;
    }
    for (const number of numbers(folder))
      if (number < mine) rmSync(join(folder, `lock.${number}`), { force: true });
    const file = join(folder, `lock.${mine}`);
    const released: Holder = { pid: null, host: hostname(), started: "" };
    return {
      release: () => {
        if (readHolder(file)?.pid === process.pid) writeDurably(file, JSON.stringify(released));
      },
    };
  }
  throw locked(folder, "other processes that are starting now");
}

function highestNumber(folder: string): number {
  return numbers(folder).reduce((highest, number) => Math.max(highest, number), 0);
}

function numbers(folder: string): readonly number[] {
  return readdirSync(folder).flatMap((name) => {
    const match = /^lock\.(\d{1,9})$/.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
}

function refuseIfHeld(folder: string, number: number): void {
  const file = join(folder, `lock.${number}`);
  const holder = readHolder(file);
  if (holder === null || holder.pid === null) return;
  const by = `process ${holder.pid}`;
  if (holder.host !== hostname())
    throw locked(folder, `${by} on host ${holder.host}; if it has ended, remove ${file}`);
  if (isAlive(holder.pid, holder.started)) throw locked(folder, by);
}

/** Null when the file has gone in the meantime. */
function readHolder(file: string): Holder | null {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isHolder(holder)) return holder;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return null;
  }
  const message = `${file} cannot be understood. If no zonekeeper uses this folder, remove that file`;
  throw permanent("DataFolderLockBroken", message);
}

function isHolder(value: unknown): value is Holder {
  const { pid, host, started } = fieldsOf(value);
  const pidFits = pid === null || (Number.isInteger(pid) && Number(pid) > 0);
  return pidFits && typeof host === "string" && typeof started === "string";
}

function isAlive(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
  const now = startOf(pid);
  return now !== ENDED && (started === "" || now === "" || started === now);
}

/** A zombie: it holds nothing any more and only waits for its parent. */
const ENDED = "ended";

/**
 * Boot id and start tick of a process, or ENDED (proc(5), /proc/pid/stat fields 3 and 22); empty =
 * not known.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (afterName[0] === "Z" || afterName[0] === "X") return ENDED;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${boot}/${afterName[19] ?? ""}`;
  } catch {
    return "";
  }
}

/** Makes `lock.N` with its whole content at once; false when somebody else has made it. */
function claim(folder: string, number: number): boolean {
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const candidate = join(folder, `lock.claim.${process.pid}`);
  writeFileSync(candidate, JSON.stringify(holder), { mode: PRIVATE_MODE });
  try {
    linkSync(candidate, join(folder, `lock.${number}`));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(candidate);
  }
}

function locked(folder: string, by: string): OperationError {
  return permanent(
    "DataFolderLocked",
    `the data folder ${folder} is used by ${by}. Stop it first, or choose another folder with --data`,
  );
}
