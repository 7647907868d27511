/**
 * `zonekeeper/provider`: what a type of DNSProviders is written with. A provider converts and
 * sends; batches, rates, retries and ownership are the program's. `BatchSession` sends all groups
 * in one call, `CallSession` call by call.
 */
export { OperationError, type OperationErrorOptions } from "@zonekeeper/base/operation-error";
export { fail, ok, type Result } from "@zonekeeper/base/result";
export { type DnsName, isAtOrBelow, parseDnsName } from "@zonekeeper/dns/names/dns-name";
export { RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
export { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
export type { PluginOption } from "../../config/plugin-option.ts";
export type { PluginOptions } from "../../model/plugin-options.ts";
export type { Problem } from "../../model/problem.ts";
export { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
export type { Zone } from "../../model/zone.ts";
export type { Change, ChangeGroup, Outcome, Precondition } from "../../plan/changes.ts";
export type { OpenVendorHttp, VendorClient, VendorRequest } from "../../ports/vendor-http.ts";
export type { WriteGate, WriteRails } from "../../ports/write-gate.ts";
export { PROVIDER_TYPES } from "../../providers/index.ts";
export type {
  Capabilities,
  OpenedSession,
  ProviderEnvironment,
  ProviderSession,
  ProviderSettings,
  ProviderType,
  ZoneSnapshot,
} from "../../providers/provider.ts";
export { type Batch, BatchSession, heldTogether } from "../../providers/shared/batch-session.ts";
export { CallSession, SetSession } from "../../providers/shared/call-session.ts";
export {
  dottedRdata,
  readRdata,
  withDot,
  withoutDot,
} from "../../providers/shared/dotted-rdata.ts";
export { badCredentials, retryAfterMs, throttled } from "../../providers/shared/failed-calls.ts";
export { refuseWrites } from "../../providers/shared/guarded-http.ts";
export {
  type ApiCall,
  type ApiRules,
  JsonApi,
  NEVER_RENEWED,
  readCall,
} from "../../providers/shared/json-api.ts";
export type { JsonAnswer, JsonCall } from "../../providers/shared/json-call.ts";
export {
  itemsOf,
  type LinkedPage,
  type Listing,
  listLinked,
  listNumbered,
  type Page,
  type PagedListing,
} from "../../providers/shared/pages.ts";
export { normalizePlain, plainSet } from "../../providers/shared/plain-sets.ts";
export { plainTroubles, type Trouble, toProblems } from "../../providers/shared/record-troubles.ts";
export {
  changedCall,
  explainCall,
  outcomesOfCall,
  type Refusal,
  type RefusalMeaning,
  type RefusalRow,
  type RefusalTable,
  RefusedCall,
} from "../../providers/shared/refused-call.ts";
export {
  configProblem,
  type FieldCheck,
  type FieldChecks,
  readConfig,
  readSecret,
  type SecretCheck,
  type SecretKeys,
  type SecretRow,
  type SecretValues,
  secretProblem,
} from "../../providers/shared/settings.ts";
export { vendorType } from "../../providers/shared/vendor-type.ts";
export { WholeZoneSession } from "../../providers/shared/whole-zone-session.ts";
export type { PluginModule } from "../plugins/plugin-module.ts";
