/**
 * The folder in which an instance keeps what must survive it. Opening makes, checks and locks it.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, OperationError, permanent } from "@zonekeeper/base/operation-error";
import { systemCodeOf } from "../../ports/system-error.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";

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
