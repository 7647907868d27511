/** Which namespaces a Gateway or listener lets in (`from: Same, All, Selector, None`). */
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { matchesSelector } from "./label-selector.ts";

/** Who asks to be let in where. */
export interface Entrance {
  /** Of what asks. */
  readonly namespace: string;
  /** Of what is asked. */
  readonly owner: string;
  /** What `from` is where nothing is said. */
  readonly otherwise: "Same" | "None";
  readonly view: ClusterView;
}

/** A namespace that is not known is not let in; the look-up tells whether it is there. */
export function letsIn(
  { from, selector }: Fields,
  { namespace, owner, otherwise, view }: Entrance,
): boolean {
  switch (from ?? otherwise) {
    case "All":
      return true;
    case "Same":
      return namespace === owner;
    case "Selector": {
      const found = view.get(NAMESPACE, "", namespace);
      if (found.state !== "value") return false;
      return matchesSelector(selector, found.value.metadata.labels ?? {});
    }
    default:
      return false;
  }
}
