/** The list of served kinds; a new kind is one file and one line here. */
import type { ServedKind } from "../served-kind.ts";
import { CONFIG_MAP_KIND } from "./config-map.ts";
import { customKinds } from "./custom.ts";
import { EVENT_KIND } from "./event.ts";
import { DNS_ENTRY_CRD, DNS_PROVIDER_CRD } from "./gardener-crds.ts";
import { INGRESS_KIND } from "./ingress.ts";
import { LEASE_KIND } from "./lease.ts";
import { NAMESPACE_KIND } from "./namespace.ts";
import { SECRET_KIND } from "./secret.ts";
import { SERVICE_KIND } from "./service.ts";

/** In the order in which discovery lists them. */
export const SERVED_KINDS: readonly ServedKind[] = [
  NAMESPACE_KIND,
  SECRET_KIND,
  CONFIG_MAP_KIND,
  SERVICE_KIND,
  EVENT_KIND,
  INGRESS_KIND,
  LEASE_KIND,
  ...customKinds(DNS_PROVIDER_CRD),
  ...customKinds(DNS_ENTRY_CRD),
];
