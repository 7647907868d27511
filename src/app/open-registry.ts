/** Opens the registry that the configuration names, for one zone. */

import { TXT_DEFAULTS, type TxtConfig } from "../config/txt-config.ts";
import { openTxtOwnership } from "../ownership/txt/ownership.ts";
import { withOtherFormats } from "../ownership/with-other-formats.ts";
import type { Crypto } from "../ports/crypto.ts";
import type { Random } from "../ports/random.ts";
import { type MarkerKeys, readMarkerKeys } from "./marker-keys.ts";
import { RealCrypto } from "./ports/real-crypto.ts";
import { RealGzip } from "./ports/real-gzip.ts";
import type { GardenerOptions } from "./start-controllers.ts";

const NO_KEYS: MarkerKeys = { encryption: null, signing: null };

/** TXT markers in external-dns's format, written with the owner id of this group. */
export function txtRegistry(
  owner: string,
  config: TxtConfig = TXT_DEFAULTS,
  keys: MarkerKeys = NO_KEYS,
): GardenerOptions["openOwnership"] {
  const isOwnedByUs = (candidate: string): boolean => candidate === owner;
  return ({ name: apex }, { atomicity }) => {
    const registry = openTxtOwnership({
      apex,
      isOwnedByUs,
      atomic: atomicity === "zone",
      ...(isDefault(config.nameTemplate) ? {} : { nameTemplate: config.nameTemplate }),
      readAlso: config.readAlso,
      markerLocation: config.markerLocationOf[apex] ?? config.markerLocation,
      ...keys,
    });
    return withOtherFormats(registry, { apex, isOwnedByUs });
  };
}

/**
 * The same with the keys that the configuration names. Throws OperationError `MarkerKeyUnusable`.
 */
export function configuredTxtRegistry(
  owner: string,
  config: TxtConfig,
  ports: { readonly crypto: Crypto; readonly random: Random },
): GardenerOptions["openOwnership"] {
  const { crypto, random } = ports;
  const keys = readMarkerKeys(config, {
    crypto,
    random,
    cipher: new RealCrypto(),
    gzip: new RealGzip(),
  });
  return txtRegistry(owner, config, keys);
}

/** The default layout is known by identity, so that it is not read twice. */
function isDefault({ prefix, suffix, wildcard }: TxtConfig["nameTemplate"]): boolean {
  return prefix === "" && suffix === "" && wildcard === "";
}
