/**
 * `ready.json`: how `plan` and `explain` find the running instance. Holds a token: private mode.
 */

import { readFileSync, rmSync } from "node:fs";
import { jsonIn } from "@zonekeeper/base/json-text";
import { messageOf, type OperationError, permanent } from "@zonekeeper/base/operation-error";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { readIfThere, writeDurably } from "../../ports/durable-file.ts";

/** The facts that commands need to reach the instance. */
export interface ReadyInfo {
  readonly pid: number;
  /** `http://127.0.0.1:PORT` of health, metrics and the local API. */
  readonly http: string;
  /** Token of the local API. */
  readonly token: string;
}

/** To be called when all parts answer. */
export function writeReady(file: string, info: ReadyInfo): void {
  writeDurably(file, `${JSON.stringify(info, null, 2)}\n`);
}

/** Removed at a graceful stop; after a crash it stays and its port does not answer. */
export function removeReady(file: string): void {
  rmSync(file, { force: true });
}

/** Throws OperationError `NoInstance` where there is none. */
export function readReady(file: string): ReadyInfo {
  const text = readIfThere(file);
  if (text === null) throw noInstance(`${file} is not there, so no instance is running`);
  const info = jsonIn(text);
  if (!isReadyInfo(info)) throw noInstance(`${file} cannot be understood`);
  return info;
}

function isReadyInfo(info: unknown): info is ReadyInfo {
  if (!isFields(info) || !("pid" in info)) return false;
  return typeof info["http"] === "string" && typeof info["token"] === "string";
}

function noInstance(why: string): OperationError {
  return permanent(
    "NoInstance",
    `${why}. Start zonekeeper dev or run, name its folder with --data, or give --server and --api-token-file. Of an instance in a cluster: kubectl zonekeeper`,
  );
}

/**
 * The token in a file, without the newline that editors add. Throws OperationError
 * `TokenUnreadable`.
 */
export function readToken(file: string): string {
  try {
    const token = readFileSync(file, "utf8").trim();
    if (token !== "") return token;
    throw new Error("it is empty");
  } catch (error) {
    throw permanent(
      "TokenUnreadable",
      `--api-token-file: ${file} cannot be read: ${messageOf(error)}`,
    );
  }
}
