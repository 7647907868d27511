/**
 * What options need to know of plug-ins: their names and what help texts say of them. Config must
 * not import plug-ins: app makes these lists from src/sources and src/ownership and hands them in.
 */

/** One plug-in that an option can name. */
export interface PlugInChoice {
  readonly name: string;
  /** What it is, for help texts: one phrase without a full stop; empty = its name says it. */
  readonly doc: string;
}

/** A source that `--controllers` can name. */
export interface SourceChoice extends PlugInChoice {
  /** True = `all` includes it. */
  readonly isDefault: boolean;
  /** A controller of Gardener's manager has this name. */
  readonly isGardeners: boolean;
  /** Its objects are DNSEntries: where they are copied to must not be where they come from. */
  readonly copiesEntries: boolean;
  /** Its objects keep what a webhook is told. */
  readonly takesWebhooks: boolean;
}

/** The plug-ins that options can name, each list in the order of the help text. */
export interface NamedPlugIns {
  readonly controllers: readonly SourceChoice[];
  readonly registries: readonly PlugInChoice[];
  /** Types of DNSProviders; their names say what they are. */
  readonly providerTypes: readonly PlugInChoice[];
}
