/**
 * What a request is answered with when it fails: a Kubernetes Status with the reasons that clients
 * switch on. Thrown inside the control plane only and turned into a response by its handler.
 * Messages never hold Secret data or tokens.
 */
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import type { JsonObject } from "../json/json.ts";

/** One wrong field, as Kubernetes field errors are made. */
export interface FieldError {
  /** `spec.ports[0].port`. */
  readonly field: string;
  /** Machine readable cause: `FieldValueInvalid`, `FieldValueRequired`, … */
  readonly reason: FieldReason;
  /** The offending value as it is shown; absent for required fields. */
  readonly value?: unknown;
  /** What would be right; may be empty. */
  readonly detail: string;
}

/** Causes of field errors with the words that introduce them. */
const REASON_TEXT = {
  FieldValueInvalid: "Invalid value",
  FieldValueTypeInvalid: "Invalid value",
  FieldValueRequired: "Required value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
} as const;

/** The reason of a field error. */
export type FieldReason = keyof typeof REASON_TEXT;

/** Kubernetes StatusReasons that are sent, each with its HTTP status code; "" = none is named. */
const CODES = {
  ...{ BadRequest: 400, Unauthorized: 401, Forbidden: 403, NotFound: 404, MethodNotAllowed: 405 },
  ...{ NotAcceptable: 406, AlreadyExists: 409, Conflict: 409, Expired: 410 },
  ...{ RequestEntityTooLarge: 413, UnsupportedMediaType: 415, Invalid: 422, TooManyRequests: 429 },
  ...{ "": 500, InternalError: 500, Timeout: 504 },
};

/** Codes of requests that are refused before any object is read, and of errors without a reason. */
const BARE_CODES: readonly number[] = [400, 401, 406, 413, 415];

/** A request that is refused; `toStatus` gives the body of the answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status code. */
  readonly code: number;
  readonly reason: keyof typeof CODES;
  readonly details: JsonObject;
  readonly metadata: JsonObject;
  readonly #isBare: boolean;

  /**
   * `details` and `metadata` are those of the Status. `{}` is sent, too, while no details given
   * means none where kube-apiserver sends none; elsewhere it sends them empty (meta/v1 Status).
   */
  constructor(
    reason: keyof typeof CODES,
    message: string,
    details?: JsonObject,
    metadata: JsonObject = {},
  ) {
    super(message);
    this.code = CODES[reason];
    this.reason = reason;
    this.details = details ?? {};
    this.metadata = metadata;
    this.#isBare = details === undefined && (reason === "" || BARE_CODES.includes(this.code));
  }

  /** The `v1` Status object. */
  toStatus(): JsonObject {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.metadata,
      status: "Failure",
      message: this.message,
      ...(this.reason === "" ? {} : { reason: this.reason }),
      ...(this.#isBare ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

const detailsOf = (kind: KindRef, name: string): JsonObject => ({
  ...(name === "" ? {} : { name }),
  ...(kind.group === "" ? {} : { group: kind.group }),
  kind: kind.plural,
});

/** 404: the object is not there. */
export function notFound(kind: KindRef, name: string): ApiError {
  const message = `${kindText(kind)} "${name}" not found`;
  return new ApiError("NotFound", message, detailsOf(kind, name));
}

/** 404: nothing is served at this path. */
export function noSuchPath(): ApiError {
  return new ApiError("NotFound", "the server could not find the requested resource");
}

/** 405: the path is served, but not for this method. */
export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return new ApiError("MethodNotAllowed", message);
}

/** 409: another object has the name. */
export function alreadyExists(kind: KindRef, name: string): ApiError {
  const message = `${kindText(kind)} "${name}" already exists`;
  return new ApiError("AlreadyExists", message, detailsOf(kind, name));
}

/** 409: the object is not in the state that the request assumed. */
export function conflict(kind: KindRef, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${kindText(kind)} "${name}": ${why}`;
  return new ApiError("Conflict", message, detailsOf(kind, name));
}

/**
 * 409: a precondition of a deletion does not hold. Names the kind where other
 * conflicts name the resource (apiserver pkg/registry/rest/delete.go BeforeDelete).
 */
export function preconditionFailed(kind: KindRef, name: string, why: string): ApiError {
  return conflict({ ...kind, plural: kind.kind }, name, why);
}

/**
 * 422: a PUT without a version, of a kind that needs one (AllowUnconditionalUpdate is
 * false).
 */
export function versionRequired(kind: KindRef, name: string): ApiError {
  const field = "metadata.resourceVersion";
  const message = "Invalid value: 0x0: must be specified for an update";
  const causes = [{ reason: "FieldValueInvalid", message, field }];
  const text = `${kindText(kind)} "${name}" is invalid: ${field}: ${message}`;
  return new ApiError("Invalid", text, { ...detailsOf(kind, name), causes });
}

/**
 * 422: options of a request that do not go together, such as `ListOptions.meta.k8s.io`; `.GROUP`
 * where no kind is named.
 */
export function invalidOptions(subject: string, errors: readonly FieldError[]): ApiError {
  const [kind = "", ...group] = subject.split(".");
  const details = { group: group.join("."), ...(kind === "" ? {} : { kind }) };
  return unprocessable(`${subject} ""`, details, errors);
}

/** 400: the request itself makes no sense. */
export function badRequest(message: string): ApiError {
  return new ApiError("BadRequest", message);
}

/** 403: not for this object now (a namespace that is being deleted). */
export function refused(kind: KindRef, name: string, why: string): ApiError {
  const message = `${kindText(kind)} "${name}" is forbidden: ${why}`;
  return new ApiError("Forbidden", message, detailsOf(kind, name));
}

/**
 * 403: nothing is created in a namespace that goes; the cause is for programs (core/v1
 * NamespaceTerminatingCause).
 */
export function namespaceTerminating(kind: KindRef, name: string, namespace: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { message: text, details } = refused(kind, name, why);
  const message = `namespace ${namespace} is being terminated`;
  const causes = [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }];
  return new ApiError("Forbidden", text, { ...details, causes });
}

/** 410: the revision or continue token is older than what is kept; list again. */
export function expired(message: string): ApiError {
  return new ApiError("Expired", message);
}

/**
 * 410: the rest of a list is no longer kept; `token` continues with the present objects
 * (etcd3/errors.go).
 */
export function continueExpired(token: string): ApiError {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  return new ApiError("Expired", message, undefined, { continue: token });
}

/** 415: the media type of the body is not supported. */
export function unsupportedMediaType(message: string, details?: JsonObject): ApiError {
  return new ApiError("UnsupportedMediaType", message, details);
}

/** 422: the object breaks its schema or a rule; all errors are listed at once. */
export function invalid(kind: KindRef, name: string, errors: readonly FieldError[]): ApiError {
  const subject = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const details = { ...detailsOf(kind, name), kind: kind.kind };
  return unprocessable(`${subject} "${name}"`, details, errors);
}

/** `what` with its name in quotes; each error is in the message and is a cause. */
function unprocessable(what: string, details: JsonObject, errors: readonly FieldError[]): ApiError {
  const texts = errors.map(fieldErrorText);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const causes = errors.map((error) => ({
    reason: error.reason,
    message: fieldErrorText({ ...error, field: "" }).replace(/^: /, ""),
    field: error.field,
  }));
  return new ApiError("Invalid", `${what} is invalid: ${list}`, { ...details, causes });
}

/** Causes whose value is not shown (apimachinery `field.Error.ErrorBody`). */
const VALUELESS: readonly FieldReason[] = [
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
];

/** `spec.ttl: Invalid value: 0: spec.ttl in body should be greater than or equal to 1`. */
export function fieldErrorText(error: FieldError): string {
  const texts = [error.field, REASON_TEXT[error.reason]];
  if (!VALUELESS.includes(error.reason)) texts.push(JSON.stringify(error.value ?? null));
  if (error.detail !== "") texts.push(error.detail);
  return texts.join(": ");
}

/** A value that is absent. */
export const missing = (field: string, detail = ""): FieldError => ({
  field,
  reason: "FieldValueRequired",
  detail,
});

/** A value that must be absent. */
export const forbidden = (field: string, detail: string): FieldError => ({
  field,
  reason: "FieldValueForbidden",
  detail,
});

/** A wrong value. */
export const wrong = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});

/** A value that is none of `supported`. */
export const unsupported = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => ({
  field,
  reason: "FieldValueNotSupported",
  value,
  detail: `supported values: ${supported.map((each) => JSON.stringify(each)).join(", ")}`,
});
