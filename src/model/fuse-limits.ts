/** The limits of the fuse, which options set and the planner keeps (Z-16). Values only. */

/** The limits, as an operator may set them. Shares are parts of 1. */
export interface FuseLimits {
  /** More removals than this are too many, unless they are fewer than the share. */
  readonly strong: number;
  /** Of the record sets that the zone had at the start of the hour. */
  readonly strongShare: number;
  /** The same of the record sets of a namespace. */
  readonly namespaceShare: number;
  /** As `strong` and `strongShare`, for removals with a weak proof. */
  readonly weak: number;
  readonly weakShare: number;
  /** A namespace with no more removals than this passes while few namespaces remove. */
  readonly free: number;
  /** Three or more objects that are all of their kind and are deleted at once wait as a set. */
  readonly holdsWholeKinds: boolean;
}

/** What counts where nothing was said. */
export const FUSE_LIMITS: FuseLimits = {
  strong: 10,
  strongShare: /* clause: strong-share-of-zone */ 0.1,
  namespaceShare: /* clause: share-of-namespace */ 0.3,
  weak: /* clause: weak-count */ 3,
  weakShare: /* clause: weak-share-of-zone */ 0.01,
  free: 3,
  holdsWholeKinds: true,
};
