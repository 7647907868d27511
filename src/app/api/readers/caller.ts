/**
 * Decides who calls the API: somebody with its token, with a session of the page, or with a token
 * of a user of the cluster (a reader). Everything that shows names is behind this.
 */
import { timingSafeEqual } from "node:crypto";
import type { Result } from "@zonekeeper/base/result";
import type { FastifyRequest } from "fastify";
import type { Instance } from "../../compose/instance.ts";
import { isRefusal, NAMESPACES_HEADER, type Refusal, TOKEN_HEADER } from "../exchange.ts";
import { type PageDoor, type Session, TOKEN_NEEDED, UNAUTHENTICATED } from "../page/page-door.ts";
import {
  type ClusterReaders,
  type GivenToken,
  namespacesIn,
  READER_ROUTES,
  type Reader,
} from "./cluster-readers.ts";

/** The sender of the request, who was let in, with the instance as it may see and order it. */
export type CallerBehind = (request: object) => Caller;

/** Everything that the decision is made with. */
export interface CallerContext {
  readonly door: PageDoor;
  /** The present token of the API. */
  readonly token: () => Result<string>;
  readonly readers: ClusterReaders;
}

/** A caller, and what it may see and order. */
export interface Caller extends Reader {
  /** The session of the page; null = it sent a token. */
  readonly session: Session | null;
  /** Namespaces whose names it sees; null = all names. */
  readonly namespaces: readonly string[] | null;
  /** Whether it may order something; false while that is not certain. Never rejects. */
  readonly mayOrder: () => Promise<boolean>;
}

/**
 * Tried in this order: the token of the API, a session of the page, a token of a user of the
 * cluster.
 */
export async function callerOf(
  request: FastifyRequest,
  instance: Instance,
  { door, token, readers }: CallerContext,
): Promise<Caller | Refusal> {
  const wanted = token();
  if (!wanted.ok) return { status: 503, code: "NoApiToken", message: `no API: ${wanted.error}` };
  const isProxied = door.isProxied(request);
  const all = { instance, key: "", namespaces: null };
  if (isAuthorized(request, wanted.value))
    return { ...all, session: null, mayOrder: async () => true };
  const admitted = door.admit(request, wanted.value);
  const session = isRefusal(admitted) ? null : admitted;
  if (session !== null && session.given === null)
    return { ...all, session, mayOrder: async () => !isProxied };
  const given = session?.given ?? givenBy(request);
  if (given === null || !readers.isOpen) {
    const refusal = isRefusal(admitted) ? admitted : UNAUTHENTICATED;
    return readers.isOpen && refusal === UNAUTHENTICATED ? TOKEN_NEEDED : refusal;
  }
  const reader = await readers.admit(given, READER_ROUTES[routeOf(request)]);
  if (isRefusal(reader)) return reader;
  const namespaces = given.namespaces.length === 0 ? null : given.namespaces;
  const mayOrder = async (): Promise<boolean> =>
    !isProxied && !isRefusal(await readers.admit(given, "order"));
  return { ...reader, session, namespaces, mayOrder };
}

function routeOf({ method, routeOptions: { url = "" } }: FastifyRequest): string {
  return `${method === "HEAD" ? "GET" : method} ${url}`;
}

/** A token that is not that of the API. */
function givenBy({ headers }: FastifyRequest): GivenToken | null {
  const own = headers[TOKEN_HEADER];
  const token =
    typeof own === "string" ? own : /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  const namespaces = headers[NAMESPACES_HEADER];
  if (token === undefined) return null;
  return { token, namespaces: namespacesIn(typeof namespaces === "string" ? namespaces : "") };
}

/**
 * Whether the caller of an open page is still let in; asked every second. The answer about a reader
 * is that of the call before.
 */
export function stillAdmitted(
  request: FastifyRequest,
  { session }: Pick<Caller, "session">,
  instance: Instance,
  context: CallerContext,
): () => boolean {
  if (session?.given === null)
    return () => {
      const wanted = context.token();
      return wanted.ok && context.door.hasSession(session, wanted.value);
    };
  let isAdmitted = true;
  return () => {
    const asked = callerOf(request, instance, context).then(
      (caller) => !isRefusal(caller),
      () => false,
    );
    void asked.then((answer) => {
      isAdmitted = answer;
    });
    return isAdmitted;
  };
}

function isAuthorized({ headers }: FastifyRequest, token: string): boolean {
  return isSame(headers[TOKEN_HEADER], token) || isSame(headers.authorization, `Bearer ${token}`);
}

/** Compares in constant time for texts of equal length. */
function isSame(header: string | readonly string[] | undefined, text: string): boolean {
  const given = Buffer.from(typeof header === "string" ? header : "");
  const wanted = Buffer.from(text);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
