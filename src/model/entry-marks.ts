/** What generated entries carry besides the link to their object. */

/** As options say. */
export interface EntryMarks {
  /** Comma list; an object that names realms itself comes first. */
  readonly realms: string | null;
  /** False = the objects that they are made for decide which DNSProviders they may use. */
  readonly ignoreOwners: boolean;
  /** On new entries. */
  readonly labels: Readonly<Record<string, string>>;
}
