/** The provider types `azure-dns` and `azure-private-dns`: public and private zones of Azure. */
import { ok } from "@zonekeeper/base/result";
import type { ProviderType } from "../provider.ts";
import { type Flavour, PRIVATE, PUBLIC } from "./flavours.ts";
import { parseOptions } from "./options.ts";
import { AzureSession } from "./session.ts";

/** Secret: `AZURE_SUBSCRIPTION_ID`, `AZURE_TENANT_ID` …; see options.ts for the rest. */
export const AZURE_PROVIDER = providerOf(PUBLIC);
/** The same Secret. */
export const AZURE_PRIVATE_PROVIDER = providerOf(PRIVATE);

function providerOf(flavour: Flavour) {
  return {
    type: flavour.type,
    open(settings, environment) {
      const options = parseOptions(settings, environment.hidesTroubles !== true);
      return options.ok ? ok(new AzureSession(options.value, flavour, environment)) : options;
    },
  } satisfies ProviderType;
}
