/**
 * `zonekeeper run`: runs the controllers for existing clusters and zones. Only a wrong
 * configuration ends it: a cluster that cannot be reached is tried again, and a lost Lease is
 * sought again.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { RunConfig } from "../../../config/run-config.ts";
import type { Instance } from "../../compose/instance.ts";
import { OWN_ROWS } from "../../plugins/rows.ts";
import { makeLog } from "../../ports/pino-log.ts";
import type { ProgramContext } from "../process/program-context.ts";
import { listenForStop, Teardown } from "../process/teardown.ts";
import { asTypedInKubectl } from "../process/typed-commands.ts";
import { logFirstPlan } from "./first-plan.ts";
import { endOfOnce } from "./once.ts";
import { serve } from "./serve.ts";

/**
 * Runs until the first SIGINT or SIGTERM, or with `--once` until nothing is left to do. Rejects
 * with OperationError when it cannot start.
 */
export async function run(
  config: RunConfig,
  { rows = OWN_ROWS, setExitCode }: ProgramContext,
): Promise<void> {
  const log = makeLog(
    config.api === null ? config.log : { ...config.log, asTyped: asTypedInKubectl },
  );
  const asked = listenForStop(() => log.info("stopping; a second signal ends at once"));
  const teardown = new Teardown();
  const done = new AbortController();
  const stop = AbortSignal.any([asked.signal, done.signal]);
  let instance: Instance | null = null;
  const onInstance = (opened: Instance): void => {
    instance = opened;
  };
  try {
    const served = serve(config, { log, teardown, stop, rows, onInstance }).finally(() =>
      done.abort(),
    );
    // Awaited below; until then its rejection must not end the process.
    served.catch(() => undefined);
    if (config.isOnce) {
      setExitCode(await endOfOnce(() => instance, log, stop));
      done.abort();
    } else
      logFirstPlan(() => instance, log, stop).catch((error: unknown) =>
        log.error("the first plan cannot be told", { reason: messageOf(error) }),
      );
    await served;
  } finally {
    await teardown.run(log);
    asked.release();
  }
}
