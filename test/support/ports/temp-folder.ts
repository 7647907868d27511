/**
 * Temporary folders for tests. Each is used by one test and removed by it; nothing is shared.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of one test. */
export interface TempFolder {
  /** Absolute. */
  readonly path: string;
  /** Removes it with all content; idempotent. Kept when `ZONEKEEPER_KEEP_TEMP` is set. */
  remove(): void;
}

/** Makes an empty folder under the system's temporary folder; `label` shows in its name. */
export function makeTempFolder(label: string): TempFolder {
  const path = mkdtempSync(join(tmpdir(), `zonekeeper-${label}-`));
  return {
    path,
    remove: () => {
      if (process.env["ZONEKEEPER_KEEP_TEMP"] === undefined)
        rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
