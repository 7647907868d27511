/** The kill switch as everything that writes to a zone sees it (docs/safety.md#no-calls). */
import type { DnsName } from "../model/dns-name.ts";

/**
 * Why nothing may be written to the zone with this apex now; null = it may. An apex that is not
 * known (null) is barred with whatever else is. Asked at the lowest place, right before each
 * mutating call.
 */
export type WriteGate = (zone: DnsName | null) => string | null;
