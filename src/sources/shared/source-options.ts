/** What sources are configured with. Data only. */
import type { DnsClasses } from "../../model/dns-class.ts";

/** Options that all sources share. */
export interface SourceOptions {
  /** Objects of another class (`dns.gardener.cloud/class`) want nothing. */
  readonly dnsClasses: DnsClasses;
  /**
   * IDNA ToASCII, done by app: the A-label form, or null when the name cannot be converted. Without
   * the function, names with other characters than ASCII are refused with the remedy.
   */
  readonly toAscii: ((text: string) => string | null) | null;
  /**
   * The one namespace that generated entries of other namespaces and clusters are written to; null
   * = each source's own. Owner annotations that point out of an entry's namespace are believed only
   * there.
   */
  readonly targetNamespace: string | null;
  /** Entries may refer to those of other namespaces. Absent = no. */
  readonly anyNamespace?: boolean;
}
