/**
 * Answers of API servers about the objects whose absence a removal rests on, right before it is
 * sent (sync/absence asks). What the answers mean is in table.ts. Types only.
 */
import type { HoldCode } from "../hold-reasons.ts";

/** The definition (CustomResourceDefinition) of the kind of such an object. */
export interface DefinitionFacts {
  /** The kind, as the `resource` of a marker begins. */
  readonly markerKind: string;
  /** `stands`: it exists. `ends`: it is being deleted or gone, and its objects with it. */
  readonly state: "stands" | "ends" | "unknown";
  /** Why it ends or is unknown. */
  readonly message: string;
}

/**
 * The answer about one such object, `kind/namespace/name`. `without`: it does not exist in any
 * cluster, or exists and does not want the record.
 */
export type AnswerFacts = {
  readonly who: string;
} & (
  | { readonly is: "without" }
  /** There is no answer yet. */
  | { readonly is: "unasked" }
  /** No cluster watches its kind, so that there is nobody to ask. */
  | { readonly is: "unwatched" }
  /** The API server did not say. */
  | { readonly is: "unknown"; readonly code: HoldCode; readonly message: string }
  /** It exists in a newer version than the one that we know. */
  | { readonly is: "newer" }
  /** We made it from the object in the marker; it is gone, and the watch has not said so yet. */
  | { readonly is: "unreported" }
);
