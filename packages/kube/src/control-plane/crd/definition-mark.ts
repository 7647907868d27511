/**
 * Annotations by which a CustomResourceDefinition says whose it is and of which version, so that
 * `run` changes no definition of somebody else (ADR 0052).
 */

/** Who keeps a definition up to date; Gardener's programs read and write the same. */
export const MAINTAINER = "crds.gardener.cloud/maintainer";
/** A whole number that grows with each change of any definition. */
export const DEFINITION_VERSION = "zonekeeper.dev/definition-version";
/** Of all definitions together; a test demands a new one when their content changes. */
export const OUR_VERSION = 1;
