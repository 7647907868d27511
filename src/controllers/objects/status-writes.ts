/** Recognises the watch events of this program's own writes, which need no work. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { isOutcomeOnly } from "./status-patch.ts";

/** The writes of statuses of the objects of one kind, until the watch shows them. */
export class StatusWrites {
  readonly #again: (key: string) => void;
  /** The last write of each object: `resourceVersion` afterwards, and whether it is settled. */
  readonly #last = new Map<string, { readonly version: string | undefined; isSettled: boolean }>();
  /** While a status is being written, by object: the versions that the watch has shown since. */
  readonly #during = new Map<string, (string | undefined)[]>();

  /** `again`: an event that was taken for our own during a write was another one, or is work. */
  constructor(again: (key: string) => void) {
    this.#again = again;
  }

  /**
   * Asked at each event of an object. `settled` = it shows our own write, and nothing is left to
   * do; `unsettled` = it shows our own write, and the object is to be decided again; null =
   * somebody else's change. While a write is under way it cannot be known whose change it is: the
   * answer is `settled`, and `again` is called after the write if need be. Each write is recognised
   * once.
   */
  seen(key: string, change: ObjectChange): "settled" | "unsettled" | null {
    const version = change.object.metadata.resourceVersion;
    const during = this.#during.get(key);
    if (
      during !== undefined &&
      /* clause: edit-during-write-is-enqueued */ isOutcomeOnly(change, true)
    ) {
      during.push(version);
      return "settled";
    }
    const own = this.#last.get(key);
    if (own === undefined || own.version !== version) return null;
    this.#last.delete(key);
    return own.isSettled && isOutcomeOnly(change, true) ? "settled" : "unsettled";
  }

  /** The object was decided about without the last write, so that the event of that is work. */
  decided(key: string): void {
    const own = this.#last.get(key);
    if (own !== undefined) own.isSettled = false;
  }

  forget(key: string): void {
    this.#last.delete(key);
  }

  /**
   * Writes; `isCarriedOut` = nothing is left to do afterwards. A patch that was made before the
   * watch had shown the last write knows nothing of that write: its event is work. Throws as
   * `write` does.
   */
  async write(
    key: string,
    isCarriedOut: boolean,
    write: () => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const isSettled = isCarriedOut && !this.#last.has(key);
    const seen: (string | undefined)[] = [];
    this.#during.set(key, seen);
    try {
      const written = await write();
      const version = written.metadata.resourceVersion;
      const others = seen.filter((one) => one !== version);
      if (others.length === seen.length) this.#last.set(key, { version, isSettled });
      // clause: foreign-status-is-enqueued
      if (
        others.length > 0 ||
        /* clause: unsettled-status-is-enqueued */ (seen.length > 0 && !isSettled)
      )
        this.#again(key);
      return written;
    } finally {
      this.#during.delete(key);
    }
  }
}
