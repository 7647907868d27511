/** The addresses of an object that its zones hold, from their reports. Pure. */
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import type { RecordSet } from "../../model/record-set.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";
import type { PublishedAt } from "./looked-up-sets.ts";

/** `reports`: the last one of each zone; null = that zone has not reported since the start. */
export function publishedIn(reports: readonly (ContributionReport | null)[]): PublishedAt {
  return ({ name, setIdentifier }) => {
    const known = reports
      .flatMap((report) => report?.names ?? [])
      .filter((report) => report.name === name && report.isPublished !== null);
    if (known.length === 0) return null;
    const sets = known.flatMap((report) => report.sets);
    const valuesOf = (type: string): readonly string[] => {
      const isAsked = (set: RecordSet): boolean =>
        set.type === type && set.setIdentifier === setIdentifier;
      return canonicalValues(sets.filter(isAsked).flatMap(({ values }) => values));
    };
    return { a: valuesOf("A"), aaaa: valuesOf("AAAA") };
  };
}
