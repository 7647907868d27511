/** Why a fence was not written. */
import { OperationError } from "@zonekeeper/base/operation-error";

/** The term has no time left to begin a call. */
export function runsOut(): OperationError {
  return new OperationError({
    code: "LeaseRunsOut",
    message:
      "the Lease was not renewed in time, so nothing is written until it is; see whether the API server answers",
    retry: "backoff",
  });
}

/** The record of a fence could not be written. */
export function notTaken(reason: string): OperationError {
  return new OperationError({
    code: "NotTaken",
    message: `the fence was not written: ${reason}; look at it again and repeat the command`,
    retry: "never",
  });
}

/** A later term of this installation has begun. */
export function staleWriter(epoch: number): OperationError {
  return new OperationError({
    code: "StaleWriter",
    message: `a later term of this installation (epoch ${epoch}) writes to the zone, so this term ends; repeat the command`,
    retry: "backoff",
  });
}
