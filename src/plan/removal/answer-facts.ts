/**
 * Answers of API servers about the objects on which a removal rests, right before it is sent
 * (sync/absence asks). What the answers mean is in table.ts. Types.
 */
import type { HoldCode } from "../hold-reasons.ts";

/** The definition of the kind of such an object. */
export interface DefinitionFacts {
  /** As the `resource` of a marker begins. */
  readonly markerKind: string;
  /** `ends`: it is being deleted or gone, and its objects with it. */
  readonly state: "stands" | "ends" | "unknown";
  /** Why it ends or is unknown. */
  readonly message: string;
}

/** Such an object, `kind/namespace/name`. */
export type AnswerFacts = {
  readonly who: string;
} /** It does without the record, wherever it exists. */ & (
  | { readonly is: "without" }
  | { readonly is: "unasked" }
  | { readonly is: "unwatched" }
  | { readonly is: "unknown"; readonly code: HoldCode; readonly message: string }
  /** It exists, and its contribution is older. */
  | { readonly is: "newer" }
  /** It was made from the object in the marker and is gone, and its watch has not said so. */
  | { readonly is: "unreported" }
);
