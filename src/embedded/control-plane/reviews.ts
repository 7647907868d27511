/**
 * Kinds that are asked and not kept: "may I?" and "who am I?". Everybody with a token may do everything
 * here, and the answers say so.
 */
import { isObject, type JsonObject, valueAt } from "./json.ts";

/** A kind that answers a POST. */
export interface Review {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** The status for a request by `user`. */
  readonly status: (user: string) => JsonObject;
}

/** The kinds. */
export const REVIEWS: readonly Review[] = [
  {
    group: "authorization.k8s.io",
    version: "v1",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    status: () => ({
      allowed: true,
      reason: "every user of the embedded control plane is an administrator",
    }),
  },
  {
    group: "authorization.k8s.io",
    version: "v1",
    kind: "SelfSubjectRulesReview",
    plural: "selfsubjectrulesreviews",
    status: () => ({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    }),
  },
  {
    group: "authentication.k8s.io",
    version: "v1",
    kind: "SelfSubjectReview",
    plural: "selfsubjectreviews",
    status: (user) => ({
      userInfo: { username: user, groups: ["system:masters", "system:authenticated"] },
    }),
  },
];

/** The answer to a review, or null when the path is none. */
export function answerReview(
  segments: readonly string[],
  body: unknown,
  user: string,
): JsonObject | null {
  const [root, group, version, plural, more] = segments;
  if (root !== "apis" || more !== undefined) return null;
  const review = REVIEWS.find(
    (each) => each.group === group && each.version === version && each.plural === plural,
  );
  if (review === undefined) return null;
  return {
    kind: review.kind,
    apiVersion: `${review.group}/${review.version}`,
    metadata: { creationTimestamp: null },
    spec: isObject(body) ? valueAt(body, "spec") : {},
    status: review.status(user),
  };
}
