/** The routes of the API for its documents: what is asked, and which document answers. */

/** One route. */
export interface ApiRoute {
  readonly path: string;
  readonly method: "get" | "post";
  /** One line, what it is for. */
  readonly summary: string;
  /** Names of its queries, each with what it means. */
  readonly query?: Readonly<Record<string, string>>;
  /** Types of `src/app/api/documents.ts`; none = no body, or what `contentType` says. */
  readonly answers: readonly string[];
  readonly contentType?: string;
}

const ZONE = { zone: "the zone that is meant, by its apex; default: all" };
const NAMES = { from: "owner id, or empty", to: "owner id, or empty" };

export const API_ROUTES: readonly ApiRoute[] = [
  {
    path: "/api/v1/session",
    method: "get",
    summary: "What this instance is, also while it stands by.",
    answers: ["SessionDocument"],
  },
  {
    path: "/api/v1/session/begin",
    method: "post",
    summary: `Begins one for a browser, with {"token": …, "namespaces": "a, b"} of a user of the cluster.`,
    answers: [],
  },
  {
    path: "/api/v1/session/end",
    method: "post",
    summary: "Ends the session of a browser.",
    answers: [],
  },
  {
    path: "/api/v1/page/link",
    method: "post",
    summary: "A link that lets one browser in, once, for a minute.",
    answers: ["PageLinkDocument"],
  },
  {
    path: "/api/v1/leading",
    method: "get",
    summary: "Answers 200 where the instance leads, at no cost.",
    answers: [],
  },
  {
    path: "/api/v1/zones",
    method: "get",
    summary: "The open zones: last reading, writer, counts, holds.",
    answers: ["ZonesDocument"],
  },
  {
    path: "/api/v1/names",
    method: "get",
    summary: "Names of zones with state, owner and object, a page at a time.",
    query: {
      ...ZONE,
      state: "states, separated by commas; default: all",
      owner: "owner id in the marker",
      object: "part of kind/namespace/name",
      text: "part of the name",
      after: "next of the answer before",
      limit: "rows, 1 to 200; default 50",
    },
    answers: ["NamesDocument"],
  },
  {
    path: "/api/v1/explain/{name}",
    method: "get",
    summary: "Why a name is as it is; zonekeeper-name-verdict in a header.",
    query: { chain: "true = with its way link by link, and what resolvers answer" },
    answers: ["ExplainDocument"],
  },
  {
    path: "/api/v1/plan",
    method: "get",
    summary: "What is wanted and not so.",
    query: {
      ...ZONE,
      name: "names at or below it",
      limit: "changes that are listed; default: every one",
    },
    answers: ["PlanDocument"],
  },
  {
    path: "/api/v1/holds",
    method: "get",
    summary: "What is held back, by reason, with what ends it, and sets that wait for approval.",
    query: ZONE,
    answers: ["HoldsDocument"],
  },
  {
    path: "/api/v1/held-sets/{hash}",
    method: "get",
    summary: "What approving a set would do, record by record.",
    answers: ["HeldSetDocument"],
  },
  {
    path: "/api/v1/approve/{hash}",
    method: "post",
    summary: "Lets a held set pass.",
    query: {
      count:
        "its removals (its changes, where it removes nothing), as a person has typed them; a browser must say it",
    },
    answers: ["ApprovalDocument"],
  },
  ...(["get", "post"] as const).map((method) => ({
    path: "/api/v1/restore/{hash}",
    method,
    summary:
      method === "get"
        ? "Deleted objects of a held set."
        : "Creates deleted objects of a held set again.",
    answers: ["RestoreDocument"],
  })),
  {
    path: "/api/v1/history",
    method: "get",
    summary: "What zones have taken, the newest first.",
    query: {
      ...ZONE,
      name: "changes of this name only",
      since: "RFC 3339, or Unix milliseconds",
      hash: "changes of the set that was approved by this hash only",
      limit: "1 to 10 000; default 100",
    },
    answers: ["HistoryDocument"],
  },
  {
    path: "/api/v1/series",
    method: "get",
    summary: "Changes and times to answer of the last day, in buckets of 15 minutes.",
    query: ZONE,
    answers: ["SeriesDocument"],
  },
  ...(["get", "post"] as const).map((method) => ({
    path: "/api/v1/undo",
    method,
    summary:
      method === "get" ? "What would be undone." : "Undoes what was shown, if it is still so.",
    query: {
      ...ZONE,
      name: "the last change of this name",
      hash: "changes of this approved set",
      ago: "changes of the last milliseconds",
    },
    answers: ["UndoDocument"],
  })),
  {
    path: "/api/v1/clusters",
    method: "get",
    summary: "Further source clusters, what is watched, accounts of providers.",
    answers: ["ClustersDocument"],
  },
  {
    path: "/api/v1/imports",
    method: "get",
    summary: "Which hosts of zones come in.",
    answers: ["ImportsDocument"],
  },
  {
    path: "/api/v1/events",
    method: "get",
    summary:
      "Server-sent events: zones and names that may be different now, what zones have taken.",
    query: { lastEventId: "in place of the header Last-Event-ID" },
    answers: [],
    contentType: "text/event-stream",
  },
  { path: "/api/v1/pause", method: "get", summary: "What is paused.", answers: ["PauseDocument"] },
  ...(["pause", "resume"] as const).map((act) => ({
    path: `/api/v1/${act}`,
    method: "post" as const,
    summary: act === "pause" ? "Stops writing." : "Ends a pause.",
    query: { ...ZONE, name: "a single name", all: "true = everything" },
    answers: ["PauseDocument"],
  })),
  {
    path: "/api/v1/ownership",
    method: "get",
    summary: "Who owns what.",
    query: { name: "may be repeated; default: all" },
    answers: ["RightsDocument"],
  },
  ...(["get", "post"] as const).map((method) => ({
    path: "/api/v1/ownership/{verb}",
    method,
    summary:
      method === "get"
        ? "What adopt, release or transfer would do."
        : "Does it, if it is as it was shown.",
    query: { ...NAMES, name: "may be repeated" },
    answers: method === "get" ? ["PreviewDocument"] : ["OrderDocument", "PreviewDocument"],
  })),
  ...(["look", "order"] as const).map((act) => ({
    path: `/api/v1/ownership/{verb}/${act}`,
    method: "post" as const,
    summary: `The same, with names in the body: {"names": [...]}.`,
    query: NAMES,
    answers: act === "look" ? ["PreviewDocument"] : ["OrderDocument", "PreviewDocument"],
  })),
  {
    path: "/api/v1/registry/migrate",
    method: "post",
    summary: "Brings markers to another form, or tells what that would write.",
    query: {
      ...ZONE,
      ...Object.fromEntries([["layout", "typed or label"]]),
      encrypt: "true = encrypted",
      apply: "true = do it",
    },
    answers: ["MigrationDocument"],
  },
  ...(["get", "post"] as const).map((method) => ({
    path: "/api/v1/owner/take",
    method,
    summary:
      method === "get"
        ? "What taking our owner id from another installation would write."
        : "Takes it, if it is as it was shown.",
    query: { from: "election domain of the other installation" },
    answers: method === "get" ? ["TakePreviewDocument"] : ["TakeDocument", "TakePreviewDocument"],
  })),
  {
    path: "/api/v1/export/external-dns",
    method: "get",
    summary: "What external-dns would not understand.",
    query: {
      prefix: "as it will be started with",
      suffix: "the same",
      wildcard: "the same",
    },
    answers: ["ExportDocument"],
  },
];
