/**
 * Calls of what a plug-in has opened, a session or a registry: what it throws and an answer that
 * does not come are OperationErrors that name the plug-in.
 */
import {
  messageOf,
  OperationError,
  type RetryAdvice,
  retryable,
} from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { type LoadedPlugin, pluginText } from "./plugin-module.ts";
import type { Watch, WatchedCall } from "./watched-calls.ts";

/** Longest that a call may take where the module does not say. */
export const CALL_TIMEOUT_MS = 60_000;

/** What calls are made with. */
export interface CallPorts {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly watch: Watch;
}

/** See above. */
export class PluginCalls {
  /** Runs what answers at once; it may throw as the plug-in does. */
  readonly now: Watch;
  readonly #plugin: LoadedPlugin;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(plugin: LoadedPlugin, { clock, timeoutMs, watch }: CallPorts) {
    this.now = watch;
    this.#plugin = plugin;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The answer, if it comes in time; else an OperationError that names the plug-in. */
  async within<T>(what: WatchedCall, call: () => T | Promise<T>): Promise<T> {
    let stop = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      const seconds = this.#timeoutMs / 1000;
      const timer = this.#clock.setTimer(this.#timeoutMs, () =>
        reject(this.failed(`did not answer to ${what} within ${seconds} s`)),
      );
      stop = () => timer.cancel();
    });
    try {
      return await Promise.race([this.now(what, call), late]);
    } catch (error) {
      throw this.operation(what, error);
    } finally {
      stop();
    }
  }

  /** The answer of what answers at once; else an OperationError that names the plug-in. */
  atOnce<T>(what: WatchedCall, call: () => T): T {
    try {
      return this.now(what, call);
    } catch (error) {
      throw this.operation(what, error);
    }
  }

  /** What was thrown: its own OperationError, or one that says that it threw in the call. */
  operation(what: WatchedCall, error: unknown): OperationError {
    return asOperation(error) ?? this.failed(`threw in ${what}: ${messageOf(error)}`);
  }

  /** The method, each call of which is `within`. */
  bounded<A extends readonly unknown[], T>(what: WatchedCall, method: (...given: A) => Promise<T>) {
    return (...given: A): Promise<T> => this.within(what, () => method(...given));
  }

  /** The method, each call of which is `now`. */
  watched<A extends readonly unknown[], T>(what: WatchedCall, method: (...given: A) => T) {
    return (...given: A): T => this.now(what, () => method(...given));
  }

  /** Throws where an answer is wrong. */
  check(what: string, wrong: string | null): void {
    if (wrong !== null) throw this.failed(`answered garbage to ${what}: ${wrong}`);
  }

  failed(what: string): OperationError {
    const message = `the ${pluginText(this.#plugin)} ${what}. Records stay as they are; mend the plug-in`;
    return retryable("PluginFailed", message);
  }

  quietly(call: () => void): void {
    try {
      call();
    } catch {
      // It is closed in any case.
    }
  }
}

const ADVICES: readonly RetryAdvice[] = ["backoff", "after", "never"];

/**
 * A plug-in has a copy of this class of its own, so that what it throws is known by its fields;
 * null = it is no OperationError.
 */
function asOperation(error: unknown): OperationError | null {
  if (error instanceof OperationError) return error;
  if (!(error instanceof Error) || error.name !== "OperationError") return null;
  const { code, retry, retryAfterMs, nothingSent } = fieldsOf(error);
  const advice = ADVICES.find((one) => one === retry);
  if (typeof code !== "string" || advice === undefined) return null;
  return new OperationError({
    ...{ code, message: error.message, retry: advice, nothingSent: nothingSent === true },
    ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
    cause: error,
  });
}
