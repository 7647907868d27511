/** For names that no open zone serves: which DNSProviders cannot be used. Types only. */

/** A DNSProvider whose zones are not known, or cannot be used. */
export interface ProviderTrouble {
  /** `namespace/name`. */
  readonly provider: string;
  /** Why, for people. */
  readonly message: string;
}
