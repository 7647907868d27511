/**
 * One way into a zone (Z-18): the session and the budget of one account that shows the zone. Knows
 * whether the account answers.
 */
import { messageOf, type OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../../providers/provider.ts";
import type { ZoneBudget } from "../calls/account-budget.ts";
import {
  type OpenZoneInput,
  type WayFailure,
  type ZoneKey,
  zoneKeyText,
} from "../contract/zone.ts";

/** Failures in a row from which on a way counts as failing. */
const FAILING_FROM = 3;

/** One account as it leads into one zone. */
export class Way {
  readonly budget: ZoneBudget;
  #input: OpenZoneInput;
  #failures = 0;
  #failure: WayFailure | null = null;
  #hasWritten = false;

  constructor(input: OpenZoneInput, budget: ZoneBudget) {
    this.#input = input;
    this.budget = budget;
  }

  /** Takes another session or policy. */
  use(input: OpenZoneInput): void {
    this.#input = input;
  }

  get input(): OpenZoneInput {
    return this.#input;
  }

  get key(): ZoneKey {
    return this.#input.key;
  }

  get id(): string {
    return zoneKeyText(this.key);
  }

  get zone(): Zone {
    return this.#input.zone;
  }

  get session(): ProviderSession {
    return this.#input.session;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** Null = it answers, as far as is known. */
  get failure(): WayFailure | null {
    return this.#failure;
  }

  /** A change of an object was applied through it, since the program began. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  wrote(): void {
    this.#hasWritten = true;
  }

  /**
   * A call failed; true = `failure` began with it. A refusal because of too many calls is no
   * failure of the way. `isRead`: the zone was read before, so that single failures do not count
   * yet.
   */
  failed(error: OperationError, isRead = true): boolean {
    if (error.code === THROTTLED) {
      this.budget.slowDown(error.retryAfterMs);
      return false;
    }
    this.#failures += 1;
    if (isRead && this.#failures < FAILING_FROM) return false;
    const isNew = this.#failure === null;
    this.#failure = { code: error.code, message: messageOf(error) };
    const message = `zone ${this.zone.name} cannot be read: ${this.#failure.message}`;
    this.input.onTrouble?.({ code: error.code, message });
    return isNew;
  }

  /** A call was answered; true = `failure` ended with it. */
  answered(): boolean {
    const wasFailing = this.#failure !== null;
    this.#failures = 0;
    this.#failure = null;
    if (wasFailing) this.input.onTrouble?.(null);
    return wasFailing;
  }
}
