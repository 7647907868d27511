/** What sources are configured with. Data only. */
import type { AddressNet } from "../../model/addresses.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
import type { PluginOptions } from "../../model/plugin-options.ts";

/** Options that all sources share. */
export interface SourceOptions {
  /** Objects of another class (`dns.gardener.cloud/class`) want nothing. */
  readonly dnsClasses: DnsClasses;
  /**
   * The one namespace that generated entries of other namespaces and clusters are written to; null
   * = each source's own. Owner annotations that point out of an entry's namespace are believed only
   * there.
   */
  readonly targetNamespace: string | null;
  /** Entries may refer to those of other namespaces. Absent = no. */
  readonly anyNamespace?: boolean;
  /** Whose ServiceEntries are published without the annotation. Absent = none. */
  readonly serviceEntryNamespaces?: readonly string[];
  /** Addresses of load balancers that are not published. Absent = none. */
  readonly excludedTargetNets?: readonly AddressNet[];
  /** Of plug-in modules. Absent = there are none. */
  readonly pluginOptions?: PluginOptions;
  /** What flags of external-dns say; absent = none was given. */
  readonly externalDns?: ExternalDnsRules;
}
