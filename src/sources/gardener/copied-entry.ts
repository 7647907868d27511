/**
 * The source `dnsentry-source`: DNSEntries that are copied to another cluster, or to another class
 * of the same one (Gardener external-dns-management). The copy is an entry like any other: markers
 * name it, and not what it was copied from.
 */
import type { SourceOptions } from "../shared/source-options.ts";
import type { SourceFunctions } from "../source.ts";
import { dnsEntry } from "./dnsentry.ts";

/** Reads an entry as `dnsentry` does. */
export function copiedEntry(options: SourceOptions): SourceFunctions {
  return dnsEntry(options, []);
}
