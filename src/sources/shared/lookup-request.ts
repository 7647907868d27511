/**
 * What an object says about looking up its targets: fields of a DNSEntry first, else annotations
 * (Gardener docs, `resolveTargetsToAddresses` and `cnameLookupInterval`).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import { annotationField, TTL_SECONDS_MAX } from "./annotations.ts";
import { quoted } from "./read-name.ts";

/** Seconds between look-ups where the object says none. */
export const LOOKUP_SECONDS = 600;
/** The least that counts; shorter intervals are taken as this one (Gardener does the same). */
const SECONDS_MIN = 30;
const RESOLVE_ANNOTATION = "dns.gardener.cloud/resolve-targets-to-addresses";
const INTERVAL_ANNOTATION = "dns.gardener.cloud/cname-lookup-interval";

/** The request. */
export interface LookupRequest {
  /** One host name is looked up, too; several are in any case. */
  readonly asksForAddresses: boolean;
  readonly lookupSeconds: number;
}

/** What cannot be read. */
export interface LookupTrouble {
  readonly code: "InvalidLookup";
  readonly message: string;
  readonly field: string;
}

/** Reads it; `spec` is that of a DNSEntry, of any other kind it is empty. */
export function readLookup(
  { metadata: { annotations = {} } }: KubeObject,
  spec: Fields,
): Result<LookupRequest, LookupTrouble> {
  const asked = spec["resolveTargetsToAddresses"] ?? annotations[RESOLVE_ANNOTATION]?.trim();
  const interval = intervalIn(annotations, spec["cnameLookupInterval"] ?? null);
  if (!interval.ok) return interval;
  return ok({
    asksForAddresses: asked === true || asked === "true",
    lookupSeconds: /* clause: look-up-interval-minimum */ Math.max(SECONDS_MIN, interval.value),
  });
}

function intervalIn(
  annotations: Readonly<Record<string, string>>,
  given: unknown,
): Result<number, LookupTrouble> {
  const text = annotations[INTERVAL_ANNOTATION]?.trim() ?? "";
  if (given !== null)
    return isInterval(given)
      ? ok(given)
      : trouble(JSON.stringify(given), "spec.cnameLookupInterval");
  if (text === "") return ok(LOOKUP_SECONDS);
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return isInterval(seconds)
    ? ok(seconds)
    : trouble(quoted(text), annotationField(INTERVAL_ANNOTATION));
}

function isInterval(value: unknown): value is number {
  return (
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= TTL_SECONDS_MAX
  );
}

function trouble(
  shown: string,
  field: string,
): { readonly ok: false; readonly error: LookupTrouble } {
  const message = `${shown} is not a whole number of seconds from 1 to ${TTL_SECONDS_MAX}; write e.g. ${LOOKUP_SECONDS}`;
  return fail({ code: "InvalidLookup", message, field });
}
