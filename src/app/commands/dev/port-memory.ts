/** Keeps ports the same from start to start: kubeconfigs and habits depend on them. */
import { OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { RememberedPorts } from "./identity.ts";

/** A listening part. */
export interface PortRequest {
  readonly part: keyof RememberedPorts;
  /** From the options; 0 = the remembered one, else the preferred one, else a free one. */
  readonly given: number;
  /**
   * The port that documents name, for the first start; a free one where it is in use. Absent =
   * none.
   */
  readonly preferred?: number;
  /** The port for TLS that `listen` opens, too. Absent = none. */
  readonly tlsPort?: number;
}

/** Runs `listen` with the right port. A refusal says which option helps. */
export async function withPort<T>(
  request: PortRequest,
  remembered: RememberedPorts,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  const port = request.given === 0 ? remembered[request.part] : request.given;
  const { preferred = 0 } = request;
  if (port === 0 && preferred !== 0) {
    try {
      return await listen(preferred);
    } catch (error) {
      if (!isInUse(error)) throw error;
    }
  }
  try {
    return await listen(port);
  } catch (error) {
    throw isInUse(error) ? inUse(error, request) : error;
  }
}

function inUse(error: OperationError, { part, given, tlsPort }: PortRequest): OperationError {
  const isTls = error.message.includes(`:${tlsPort}:`);
  const origin = given === 0 && !isTls ? " (remembered from an earlier start)" : "";
  const option = isTls ? `${part}-tls-port` : `${part}-port`;
  return permanent(
    "AddressInUse",
    `${error.message}${origin}. Stop it, or choose another port with --${option}`,
    error,
  );
}

function isInUse(error: unknown): error is OperationError {
  return error instanceof OperationError && error.code === "AddressInUse";
}
