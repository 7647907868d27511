/**
 * The commands that ask a running instance or give it orders (`plan`, `explain`, `approve`,
 * `restore`, `pause`, `ownership`, `undo` and others): each sends a request to its HTTP API, and
 * makes text and an exit code of the answer. They compute nothing else.
 */
import { join } from "node:path";
import { jsonIn } from "@zonekeeper/base/json-text";
import { messageOf, type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type {
  ClientConfig,
  HistoryViewConfig,
  PauseOrderConfig,
  PlanViewConfig,
  TakeConfig,
  UndoConfig,
} from "../../../config/client-options.ts";
import { printable } from "../../../model/printable.ts";
import {
  NAME_VERDICT_HEADER,
  OPEN_NAMES_HEADER,
  REFUSED_HEADER,
  SHOWN_HEADER,
  UNKNOWN_ZONES_HEADER,
} from "../../api/exchange.ts";
import { PLAN_SCHEMA } from "../../api/plan/document.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { FOLDER_FILES } from "../process/data-folder.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import { readReady, readToken } from "../process/ready-file.ts";
import { asTypedInKubectl } from "../process/typed-commands.ts";
import type { Door, DoorReply, DoorRequest } from "./in-cluster/pod-way.ts";
import { spinning } from "./spinner.ts";
import { planMarkdown } from "./texts/plan-markdown.ts";
import { isApiDocument, textOf } from "./texts/text-of.ts";

const TIMEOUT_MS = 10_000;
/** For requests that read zones, or every record. */
const LONG_TIMEOUT_MS = 120_000;

/**
 * The plan. Exit code 0 when nothing is to do, 2 when something is, 1 when something is not known.
 */
export function askPlan(config: PlanViewConfig, terminal: Terminal): Promise<Answer> {
  const { zone, name, limit } = config;
  return counted(config, `/api/v1/plan?${queryText({ zone, name, limit })}`, { terminal });
}

/** The journal of zones; exit code 1 where changes may be missing, else 0. */
export function askHistory(config: HistoryViewConfig, name: string): Promise<Answer> {
  const { zone, sinceMs, limit } = config;
  const since = sinceMs === null ? null : Date.now() - sinceMs;
  const query = queryText({ zone, name: name || null, since, limit });
  return answerTo(config, `/api/v1/history?${query}`);
}

/**
 * The imports of hosts from zones, or the further source clusters; exit code 1 where one has
 * trouble or is not Live, else 0.
 */
export function askListing(config: ClientConfig, what: "imports" | "clusters"): Promise<Answer> {
  return answerTo(config, `/api/v1/${what}`);
}

/**
 * The known facts of one name. Exit code 0 when it is as wanted, 2 when something is open, 1 when
 * nobody knows it.
 */
export async function askExplain(config: ClientConfig, name: string): Promise<Answer> {
  const { text, headers } = await ask(config, `/api/v1/explain/${encodeURIComponent(name)}`);
  const verdict = headers.get(NAME_VERDICT_HEADER);
  // An instance without the header is older than this program: its text alone says how the name is.
  if (verdict === "settled" || verdict === null) return { text, exitCode: EXIT.ok };
  return { text, exitCode: verdict === "open" ? EXIT.changes : EXIT.trouble };
}

/** Approves a set of changes that the fuse holds. */
export function askApproval(config: ClientConfig, hash: string): Promise<Answer> {
  return answerTo(config, `/api/v1/approve/${encodeURIComponent(hash)}`, { method: "POST" });
}

/**
 * Exit code of the preview: 2 when something would be created, else 0. With `isDoing`: 1 when
 * something could not be created, else 0. Throws OperationError `InstanceRefused` for a hash that
 * no zone holds.
 */
export function askRestore(config: ClientConfig, hash: string, isDoing: boolean): Promise<Answer> {
  return order(config, `/api/v1/restore/${encodeURIComponent(hash)}`, isDoing);
}

/**
 * Pauses or resumes, and says what is paused now. Throws OperationError `InstanceRefused` with the
 * reason.
 */
export function askPause(config: PauseOrderConfig, act: "pause" | "resume"): Promise<Answer> {
  const { zone, name } = config;
  const all = zone === null && name === null ? "true" : null;
  return answerTo(config, `/api/v1/${act}?${queryText({ zone, name, all })}`, { method: "POST" });
}

/** A question or an order about the ownership of records. */
export interface OwnershipQuestion {
  /** Path below `/api/v1/ownership`; empty = the listing of owners. */
  readonly path: string;
  readonly names?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

/**
 * Lists owners, shows what a command would do, or (`isDoing`) does it, if it still is as the
 * instance showed it before. Exit code 2 when something would be done; 1 when it is not as shown,
 * could not be done, or is not known.
 */
export async function askOwnership(
  config: ClientConfig,
  { path, names = [], from, to }: OwnershipQuestion,
  isDoing: boolean,
): Promise<Answer> {
  const query = new URLSearchParams({
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  const timeoutMs = LONG_TIMEOUT_MS;
  if (path !== "") {
    // Names of a command go in the body: a thousand are too many for a URL.
    const asking = { method: "POST", timeoutMs, body: { names } };
    const act = isDoing ? "order" : "look";
    return answerTo(config, `/api/v1/ownership${path}/${act}?${query}`, asking, isDoing);
  }
  for (const name of names) query.append("name", name);
  const { text, exitCode } = await answerTo(config, `/api/v1/ownership?${query}`, { timeoutMs });
  // A listing counts records, and nothing is to do about them.
  return { text, exitCode: exitCode === EXIT.changes ? EXIT.ok : exitCode };
}

/**
 * Shows what would be undone, or (`isDoing`) undoes it, if it is as the instance showed it before.
 * Exit codes as those of `askOwnership`.
 */
export function askUndo(config: UndoConfig, isDoing: boolean): Promise<Answer> {
  const { zone, name, hash, agoMs: ago } = config;
  return order(config, `/api/v1/undo?${queryText({ zone, name, hash, ago })}`, isDoing);
}

/** External-dns's options of marker names; empty = its default. */
export interface ExportQuestion {
  readonly prefix: string;
  readonly suffix: string;
  readonly wildcard: string;
}

/**
 * The records that external-dns would not take over. Exit code 2 when there are some, 1 when
 * something is not known.
 */
export function askExport(config: ClientConfig, affixes: ExportQuestion): Promise<Answer> {
  const query = new URLSearchParams({ ...affixes });
  const asking = { timeoutMs: LONG_TIMEOUT_MS };
  return counted(config, `/api/v1/export/external-dns?${query}`, asking);
}

/**
 * Takes the owner id from another installation; exit code 2 when only shown, 1 when a zone could
 * not be taken.
 */
export async function askTake(config: TakeConfig): Promise<Answer> {
  const path = `/api/v1/owner/take?from=${encodeURIComponent(config.from)}`;
  const { text, exitCode } = await order(config, path, config.confirm);
  return { text, exitCode: exitCode === EXIT.ok && !config.confirm ? EXIT.changes : exitCode };
}

/** The query of a URL; null fields are left out. */
function queryText(fields: Readonly<Record<string, string | number | null>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(fields))
    if (value !== null) query.set(key, String(value));
  return query.toString();
}

/** Shows what would be done (GET), or does it (POST). */
function order(config: AskConfig, path: string, isDoing: boolean): Promise<Answer> {
  const asking = { method: isDoing ? "POST" : "GET", timeoutMs: LONG_TIMEOUT_MS };
  return answerTo(config, path, asking, isDoing);
}

/** An answer whose counts are needed: without them nothing is known. */
async function counted(config: AskConfig, path: string, asking: Asking): Promise<Answer> {
  const { text, headers } = await ask(config, path, asking);
  const isCounted = headers.has(UNKNOWN_ZONES_HEADER);
  return { text, exitCode: isCounted ? exitCodeOf(headers) : EXIT.trouble };
}

async function answerTo(
  config: AskConfig,
  path: string,
  asking: Asking = {},
  isDoing = false,
): Promise<Answer> {
  const { text, headers } = await ask(config, path, asking);
  return { text, exitCode: exitCodeOf(headers, isDoing) };
}

/**
 * By what the headers count; absent = none. 1 when something is not known, is not as it was shown,
 * or was named or ordered (`isDoing`) in vain; 2 when something is open, else 0.
 */
export function exitCodeOf(headers: Headers, isDoing = false): number {
  const isAny = (header: string): boolean => Number(headers.get(header) ?? 0) > 0;
  const isOpen = isAny(OPEN_NAMES_HEADER);
  const isInVain = isAny(REFUSED_HEADER) && (isDoing || !isOpen);
  if (isAny(UNKNOWN_ZONES_HEADER) || isInVain) return EXIT.trouble;
  const shown = headers.get(SHOWN_HEADER);
  if (shown !== null) return shown === "changed" ? EXIT.trouble : EXIT.changes;
  if (!isOpen) return EXIT.ok;
  return isDoing ? EXIT.trouble : EXIT.changes;
}

/** The answer of the instance. */
export interface Reply {
  readonly text: string;
  readonly headers: Headers;
}

/** Asks the API. Throws OperationError when nobody answers, or the answer is a refusal. */
export async function ask(
  config: AskConfig,
  path: string,
  { method = "GET", timeoutMs = TIMEOUT_MS, body, terminal = NO_TERMINAL }: Asking = {},
): Promise<Reply> {
  const { output } = config;
  const door = await doorOf(config);
  const request = { path, method, timeoutMs, body };
  try {
    const asking = () => door.send(request);
    const reply = await spinning(`asking ${door.where}`, process.stderr, asking);
    const { status, headers } = reply;
    // Commands in the text are as they are typed through kubectl, where it is read there.
    const isTyped = output !== "json" && (config.cluster ?? null) !== null;
    const typed = (text: string): string => (isTyped ? asTypedInKubectl(text) : text);
    if (status < 200 || status > 299) throw refused(door.where, status, typed(reply.text));
    if (output !== "json") return { text: typed(shown(reply.text, output, terminal)), headers };
    return { text: reply.text.endsWith("\n") ? reply.text : `${reply.text}\n`, headers };
  } finally {
    door.close();
  }
}

/** The text of a document, made here since only this side knows the terminal. */
function shown(json: string, output: "text" | "markdown", terminal: Terminal): string {
  const document = jsonIn(json);
  const isPlan = isApiDocument(document) && document.schema === PLAN_SCHEMA;
  if (output === "markdown" && isPlan) return planMarkdown(document);
  const text = isApiDocument(document) ? textOf(document, terminal) : null;
  if (text !== null) return text;
  throw permanent(
    "InstanceRefused",
    "the instance is of another version: its answer is read with --output json only",
  );
}

type AskConfig = Omit<ClientConfig, "output"> & Pick<PlanViewConfig, "output">;

const NO_TERMINAL: Terminal = { columns: null, color: false };

/** How something is asked; default GET, 10 s, and text for a pipe. */
interface Asking {
  readonly method?: string;
  readonly timeoutMs?: number;
  /** Sent as JSON. */
  readonly body?: object;
  readonly terminal?: Terminal;
}

async function doorOf(config: AskConfig): Promise<Door> {
  const { cluster = null } = config;
  if (cluster === null) {
    const { server, token } = locate(config);
    return { where: server, send: (request) => send(server, token, request), close: () => {} };
  }
  const { openClusterDoor } = await import("./in-cluster/cluster-door.ts");
  const opening = () => openClusterDoor(cluster);
  return spinning("looking for the instance", process.stderr, opening);
}

async function send(
  server: string,
  token: string,
  { path, method, timeoutMs, body }: DoorRequest,
): Promise<DoorReply> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  try {
    const response = await fetch(`${server}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    const root = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw permanent(
      "NoInstance",
      `${new URL(server).origin} does not answer (${messageOf(root)}). Is the instance running?`,
      error,
    );
  }
}

/**
 * The address at which a browser on this host reaches the instance. Throws OperationError
 * `NoInstance`.
 */
export function localServer(config: ClientConfig): string {
  return locate(config).server;
}

function locate(config: Pick<ClientConfig, "server" | "apiTokenFile" | "data">): {
  readonly server: string;
  readonly token: string;
} {
  const ready = () => readReady(join(config.data ?? "", FOLDER_FILES.ready));
  const server = (config.server ?? ready().http).replace(/\/+$/, "");
  const token = config.apiTokenFile === null ? ready().token : readToken(config.apiTokenFile);
  if (/^https?:\/\/./.test(server)) return { server, token };
  throw permanent("InvalidOption", `--server: ${server} is no address; write http://HOST:PORT`);
}

function refused(server: string, status: number, text: string): OperationError {
  const body = jsonIn(text);
  const reason =
    typeof body === "object" && body !== null && "message" in body
      ? String(body.message)
      : text.slice(0, 200).trim();
  const hint = status === 401 ? "the token is not the instance's" : printable(reason);
  return permanent("InstanceRefused", `${server} answered ${status}: ${hint}`);
}
