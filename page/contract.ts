/** The documents that the page reads, as the API declares them. */
import type { ExplainDocument } from "../src/app/api/documents.ts";
import type { ResolverAnswer } from "../src/app/compose/authority/ask-resolvers.ts";

export type {
  AccountRow,
  CacheRow,
  ClusterRow,
  ClustersDocument,
  HeldSetDocument,
  HeldSetRecord,
  HeldSetRow,
  HistoryChange,
  HistoryDocument,
  HoldReasonRow,
  HoldsDocument,
  NamesDocument,
  NamesRow,
  SeriesBucket,
  SeriesDocument,
  SessionDocument,
  UndoDocument,
  ZoneRow,
  ZonesDocument,
} from "../src/app/api/documents.ts";
export type { PlanDocument } from "../src/app/api/plan/document.ts";
export type { PlanGroup } from "../src/app/api/plan/groups.ts";
export type { ResolverAnswer } from "../src/app/compose/authority/ask-resolvers.ts";

export interface ChainDocument extends ExplainDocument {
  readonly chain: readonly NameLink[];
  readonly resolvers: readonly ResolverAnswer[];
  readonly commands: readonly string[];
}
export interface NameLink {
  readonly is: "object" | "entry" | "plan" | "zone" | "servers" | "alias" | "resolvers";
  readonly state: "ok" | "broken" | "waits" | "unknown";
  readonly text: string;
  readonly subject: string;
  readonly since: string | null;
  readonly code: string;
}
