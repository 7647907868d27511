/**
 * For names that no open zone serves: the DNSProviders that might serve them and cannot be used
 * now. Types only.
 */

/** A DNSProvider whose zones are not known, or cannot be used. */
export interface ProviderTrouble {
  /** `namespace/name`. */
  readonly provider: string;
  /** Why, for people. */
  readonly message: string;
}
