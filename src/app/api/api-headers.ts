/** Headers by which the local API tells programs what its text tells people. */

/**
 * Of each request: the token. A header of its own, because the API server keeps `authorization` for
 * itself when it passes a request on to a Pod.
 */
export const TOKEN_HEADER = "x-zonekeeper-token";
/**
 * Of a request with a token of the cluster: the namespaces whose names are meant, separated by
 * commas.
 */
export const NAMESPACES_HEADER = "x-zonekeeper-namespaces";
/**
 * Of `/api/v1/plan` and `/api/v1/registry/migrate`: how many names are wanted otherwise than they
 * are.
 */
export const OPEN_NAMES_HEADER = "zonekeeper-open-names";
/**
 * Of `/api/v1/explain`: `settled`, `open`, `unknown` or `trouble`, over all zones that could hold
 * the name.
 */
export const NAME_VERDICT_HEADER = "zonekeeper-name-verdict";
/**
 * How many zones, providers and names are unknown: not loaded, failed, or without a provider.
 */
export const UNKNOWN_ZONES_HEADER = "zonekeeper-unknown-zones";
/**
 * Of a POST to `/api/v1/ownership` that did nothing: `unseen` = no preview was
 * shown before, `changed` = the preview showed another state.
 */
export const SHOWN_HEADER = "zonekeeper-shown";
/** Of `/api/v1/ownership`: how many records that a person named cannot be dealt with. */
export const REFUSED_HEADER = "zonekeeper-refused-records";
/** Of `/api/v1/registry/migrate`: names whose markers cannot be brought to the form. */
export const STUCK_NAMES_HEADER = "zonekeeper-stuck-names";
