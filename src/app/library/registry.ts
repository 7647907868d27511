/**
 * `zonekeeper/registry`: what a format of ownership is written with. It says whose each record set
 * is, and which writes bring its marker along.
 */

export type { PluginOption } from "../../config/plugin-option.ts";
export type { PluginOptions } from "../../model/plugin-options.ts";
export type { Zone } from "../../model/zone.ts";
export { REGISTRIES } from "../../ownership/index.ts";
export type { Ownership, Prepared, ZoneContent } from "../../ownership/ownership.ts";
export type { RegistryContext, RegistryRow, RegistryZone } from "../../ownership/registry.ts";
export type { ChangeGroup, Hold, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
export type { PluginModule } from "../plugins/plugin-module.ts";
