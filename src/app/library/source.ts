/**
 * `zonekeeper/source`: what a source of others is written with. A source is a row (`SourceRow`)
 * whose function turns one object into desired record sets; it is pure and sees objects alone.
 */
export type { Result } from "@zonekeeper/base/result";
export { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
export { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
export type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
export { fieldsOf, listOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
export type { ClusterView, Lookup, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
export type { PluginOption } from "../../config/plugin-option.ts";
export { objectKeyOf } from "../../model/kinds.ts";
export type { PluginOptions } from "../../model/plugin-options.ts";
export type { Problem } from "../../model/problem.ts";
export { type ObjectKey, resourceOf } from "../../model/provenance.ts";
export type { DesiredRecordSet } from "../../model/record-set.ts";
export { SOURCES } from "../../sources/index.ts";
export { desiredSets, type SetOrigin, waitingFor } from "../../sources/shared/found.ts";
export { readName } from "../../sources/shared/read-name.ts";
export { readAddress, readHostTarget, type TypedValues } from "../../sources/shared/targets.ts";
export {
  type Found,
  NOTHING,
  type SourceFunctions,
  type SourceOptions,
  type SourceRow,
  type Waiting,
} from "../../sources/source.ts";
export type { PluginModule } from "../plugins/plugin-module.ts";
