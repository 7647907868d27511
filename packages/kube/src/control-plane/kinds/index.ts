/**
 * The list of built-in kinds; a new kind is one file and one line here. Custom kinds come from
 * definitions (`crd/`).
 */
import type { ServedKind } from "../objects/served-kind.ts";
import { CONFIG_MAP_KIND, SECRET_KIND } from "./config-map-and-secret.ts";
import { ENDPOINT_SLICE_KIND, ENDPOINTS_KIND } from "./endpoint-kinds.ts";
import { EVENT_KIND } from "./event.ts";
import { EVENTS_EVENT_KIND } from "./events-event.ts";
import { INGRESS_CLASS_KIND, INGRESS_KIND } from "./ingress.ts";
import { LEASE_KIND } from "./lease.ts";
import { NAMESPACE_KIND } from "./namespace.ts";
import { NODE_KIND } from "./node.ts";
import { POD_KIND } from "./pod.ts";
import { SERVICE_KIND } from "./service.ts";

/** In the order in which discovery lists them. */
export const BUILT_IN_KINDS: readonly ServedKind[] = [
  CONFIG_MAP_KIND,
  ENDPOINTS_KIND,
  EVENT_KIND,
  NAMESPACE_KIND,
  NODE_KIND,
  POD_KIND,
  SECRET_KIND,
  SERVICE_KIND,
  INGRESS_CLASS_KIND,
  INGRESS_KIND,
  LEASE_KIND,
  ENDPOINT_SLICE_KIND,
  EVENTS_EVENT_KIND,
];
