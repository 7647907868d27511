/** The list of provider types. A new one is one line here. */
import type { ProviderType } from "./provider.ts";
import { RFC2136_PROVIDER } from "./rfc2136/provider.ts";

/** Sorted by type. */
export const PROVIDER_TYPES: readonly ProviderType[] = [RFC2136_PROVIDER];
