/**
 * The one place where a dry run or a pause stops what would change a zone
 * (docs/safety.md#no-calls). Nothing here knows an API.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { OpenHttp } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { OpenVendorHttp } from "../../ports/vendor-http.ts";
import type { WriteRails } from "../../ports/write-gate.ts";

/** HTTP by which nothing can be changed while the rails say so. */
export function guardedHttp(open: OpenHttp, rails: WriteRails): OpenVendorHttp {
  return (target) => {
    const client = open(target);
    return {
      send: async ({ changes, ...request }) => {
        if (changes !== null) refuseWrites(rails, changes);
        return client.request(request);
      },
      close: () => client.close(),
    };
  };
}

/**
 * Asked right before something is sent that changes the zone with this apex; null = an unknown one.
 * Throws when it must not be.
 */
export function refuseWrites({ dryRun, writeGate }: WriteRails, zone: DnsName | null): void {
  const blocker = dryRun ? null : (writeGate?.(zone) ?? null);
  if (!dryRun && blocker === null) return;
  throw new OperationError({
    code: dryRun ? "DryRun" : "Paused",
    message: dryRun
      ? "a change was about to be sent in a dry run; nothing was sent"
      : `${blocker}; the change was not sent`,
    retry: "never",
    nothingSent: true,
  });
}

/** What `refuseWrites` throws. */
export function isRefusedHere({ code }: OperationError): boolean {
  return code === "DryRun" || code === "Paused";
}
