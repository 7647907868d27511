/**
 * The list of what must be closed, in the reverse order of how it was opened. One failure does not
 * keep the rest open.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";

/** A stack of closers. */
export class Teardown {
  readonly #closers: { readonly name: string; readonly close: () => unknown }[] = [];

  /** `close` may return a promise. `name` is for the log. */
  add(name: string, close: () => unknown): void {
    this.#closers.push({ name, close });
  }

  /** Closes everything once, last opened first. Never rejects. */
  async run(log: Log): Promise<void> {
    for (let top = this.#closers.pop(); top !== undefined; top = this.#closers.pop()) {
      try {
        await top.close();
      } catch (error) {
        log.warn("could not be closed", { what: top.name, error: messageOf(error) });
      }
    }
  }
}
