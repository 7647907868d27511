/**
 * `zonekeeper run`: the controllers for clusters and zones that exist. Nothing but a wrong
 * configuration ends it: a cluster that cannot be reached is tried again, a Lease that is lost is
 * sought again.
 */
import type { RunConfig } from "../../../config/run-config.ts";
import { OWN_ROWS } from "../../plugins/rows.ts";
import { makeLog } from "../../ports/pino-log.ts";
import type { ProgramContext } from "../process/program-context.ts";
import { listenForStop } from "../process/signals.ts";
import { Teardown } from "../process/teardown.ts";
import { asTypedInKubectl } from "../process/typed-commands.ts";
import { serve } from "./serve.ts";

/** Runs until the first SIGINT or SIGTERM. Rejects with OperationError when it cannot start. */
export async function run(config: RunConfig, { rows = OWN_ROWS }: ProgramContext): Promise<void> {
  const log = makeLog(
    config.api === null ? config.log : { ...config.log, asTyped: asTypedInKubectl },
  );
  const stop = listenForStop(() => log.info("stopping; a second signal ends at once"));
  const teardown = new Teardown();
  try {
    await serve(config, { log, teardown, stop: stop.signal, rows });
  } finally {
    await teardown.run(log);
    stop.release();
  }
}
