/** What is known of the object in the marker of an orphan (Z-22), for people. Pure. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectObservation, stateOf } from "../contract/object-observation.ts";

/** One phrase; the object is not named, because the row names it. */
export function describeOrphan(name: DnsName, observation: ObjectObservation): string {
  switch (stateOf(observation)) {
    case "absent":
      return "orphan: no such object exists here";
    case "unknown":
      return "orphan: whether the object exists here is not known";
    case "alive": {
      const [where] = observation.flatMap((one) =>
        one.state === "alive" ? (one.namedElsewhere?.(name) ?? []) : [],
      );
      return where === undefined
        ? "orphan: the object exists here and does not name it"
        : `orphan: the object exists here and names it in ${where}, which is not read; annotate it with dns.gardener.cloud/dnsnames to keep the record`;
    }
  }
}
