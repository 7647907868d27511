/**
 * Kinds that are asked and not kept: "may I?" and "who am I?". Everybody with a token may do
 * everything here, and the answers say so.
 */
import {
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_REVIEW,
  SELF_SUBJECT_RULES_REVIEW,
  SUBJECT_ACCESS_REVIEW,
  TOKEN_REVIEW,
} from "../../objects/kinds.ts";
import { apiVersionOf, type KindRef } from "../../objects/kubernetes.ts";
import { type FieldError, invalidOptions, wrong } from "../errors/api-error.ts";
import { isObject, type JsonObject, valueAt } from "../json/json.ts";

/** A kind that answers a POST. */
export interface Review {
  readonly ref: KindRef;
  /** The status for a request by `user`; `userOf`: the user of a token, null = there is none. */
  readonly status: (
    user: string,
    spec: unknown,
    userOf: (token: string) => string | null,
  ) => JsonObject;
  /** What is wrong with the `spec` of a request; null = nothing. */
  readonly fault?: (spec: unknown) => FieldError | null;
}

const ACCESS = {
  status: () => ({
    allowed: true,
    reason: "every user of the embedded control plane is an administrator",
  }),
  fault: accessFault,
} as const;

/** Groups of every user. */
const GROUPS = ["system:masters", "system:authenticated"];

/** The kinds. */
export const REVIEWS: readonly Review[] = [
  { ...ACCESS, ref: SELF_SUBJECT_ACCESS_REVIEW },
  { ...ACCESS, ref: SUBJECT_ACCESS_REVIEW },
  {
    ref: SELF_SUBJECT_RULES_REVIEW,
    status: () => ({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    }),
  },
  {
    ref: SELF_SUBJECT_REVIEW,
    status: (user) => ({ userInfo: { username: user, groups: GROUPS } }),
  },
  {
    ref: TOKEN_REVIEW,
    status: (_user, spec, userOf) => {
      const token = valueAt(spec, "token");
      const username = typeof token === "string" ? userOf(token) : null;
      if (username === null) return { user: {}, error: "the token is not known here" };
      return { authenticated: true, user: { username, groups: GROUPS } };
    },
  },
];

/** pkg/apis/authorization/validation ValidateSelfSubjectAccessReviewSpec. */
function accessFault(spec: unknown): FieldError | null {
  const isAbout = (field: string): boolean => isObject(valueAt(spec, field));
  if (isAbout("resourceAttributes") !== isAbout("nonResourceAttributes")) return null;
  const isBoth = isAbout("resourceAttributes");
  const none = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  const both = "cannot be specified in combination with resourceAttributes";
  return isBoth ? wrong("spec.nonResourceAttributes", null, both) : wrong("spec", null, none);
}

/**
 * The answer to a review, or null when the path is none; only a review's body is read. Throws
 * ApiError 422 for a review of nothing.
 */
export function answerReview(
  segments: readonly string[],
  bodyOf: () => unknown,
  user: string,
  userOf: (token: string) => string | null,
): JsonObject | null {
  const [root, group, version, plural, more] = segments;
  if (root !== "apis" || more !== undefined) return null;
  const path = `${group}/${version}/${plural}`;
  const review = REVIEWS.find(({ ref }) => `${apiVersionOf(ref)}/${ref.plural}` === path);
  if (review === undefined) return null;
  const body = bodyOf();
  const fault = review.fault?.(valueAt(body, "spec")) ?? null;
  if (fault !== null) throw invalidOptions(`.${review.ref.group}`, [fault]);
  return {
    kind: review.ref.kind,
    apiVersion: apiVersionOf(review.ref),
    metadata: {},
    spec: isObject(body) ? valueAt(body, "spec") : {},
    status: review.status(user, valueAt(body, "spec"), userOf),
  };
}
