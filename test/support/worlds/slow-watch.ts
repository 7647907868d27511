/** A watch of DNSEntries that is slower than the answers to writes: F03, and no list heals it. */
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";

/** From `hold` until `release` changes are not shown. */
export interface SlowWatch {
  hold(): void;
  release(): void;
}

/** Call it before the view has subscribers. */
export function slowWatch(view: ClusterView): SlowWatch {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const subscribe = view.subscribe.bind(view);
  view.subscribe = (kind, listener) =>
    subscribe(kind, {
      onState: listener.onState.bind(listener),
      onChange: (change: ObjectChange) => {
        if (isHeld && kind.kind === DNS_ENTRY.kind) waiting.push(() => listener.onChange(change));
        else listener.onChange(change);
      },
    });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const show of waiting.splice(0)) show();
    },
  };
}
