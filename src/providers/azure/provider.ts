/** The provider types `azure-dns` and `azure-private-dns`: public and private zones of Azure. */
import { vendorType } from "../shared/vendor-type.ts";
import { type Flavour, PRIVATE, PUBLIC } from "./flavours.ts";
import { parseOptions } from "./options.ts";
import { AzureSession } from "./session.ts";

/** Secret: `AZURE_SUBSCRIPTION_ID`, `AZURE_TENANT_ID` …; see options.ts for the rest. */
export const AZURE_PROVIDER = providerOf(PUBLIC);
/** The same Secret. */
export const AZURE_PRIVATE_PROVIDER = providerOf(PRIVATE);

function providerOf(flavour: Flavour) {
  return vendorType(
    flavour.type,
    parseOptions,
    (options, environment) => new AzureSession(options, flavour, environment),
  );
}
