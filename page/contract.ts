/** The documents that the page reads, as the API declares them. */
import type { ExplainDocument } from "../src/app/api/documents.ts";

export type {
  AccountRow,
  CacheRow,
  ClustersDocument,
  HistoryChange,
  HistoryDocument,
  NameLink,
  UndoDocument,
} from "../src/app/api/documents.ts";
export type {
  HeldSetDocument,
  HeldSetRecord,
  HeldSetRow,
  HoldReasonRow,
  HoldsDocument,
  NamesDocument,
  SeriesBucket,
  SeriesDocument,
  SessionDocument,
  ZoneRow,
  ZonesDocument,
} from "../src/app/api/page/page-documents.ts";
export type { PlanDocument } from "../src/app/api/plan/document.ts";
export type { PlanGroup } from "../src/app/api/plan/groups.ts";
export type { ResolverAnswer } from "../src/app/compose/authority/ask-resolvers.ts";
export type { NameRow } from "../src/sync/contract/name-page.ts";

/** With the way of the name, which the page always asks for. */
export type ChainDocument = ExplainDocument &
  Required<Pick<ExplainDocument, "chain" | "resolvers" | "commands">>;
