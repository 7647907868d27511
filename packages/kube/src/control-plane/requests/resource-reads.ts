/**
 * GET of resources: one object, a list (whole or in pages), or a watch. Reads committed state only
 * and never waits for a write.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import { ApiError, expired, notFound } from "../errors/api-error.ts";
import { negotiateForm } from "../http/accept.ts";
import { jsonResponse, streamResponse } from "../http/body.ts";
import { ObjectForms } from "../objects/object-forms.ts";
import {
  both,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
} from "../objects/selectors.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import { PastLists } from "../storage/past-list.ts";
import { flag, type ListOptions, listOptions, wholeNumber } from "./list-options.ts";
import { nextPage, type Page, type PagedList, pageOf } from "./pages.ts";
import type { ResourceRoute } from "./route.ts";
import { type WatchOptions, watchStream } from "./watch-stream.ts";

/** A request whose route is known. */
export interface ResourceRequest {
  readonly route: ResourceRoute;
  readonly query: URLSearchParams;
  readonly request: HttpRequest;
}

type WatchStart = Pick<WatchOptions, "initial" | "endsInitialWithBookmark" | "fromRevision">;

/** Seconds after which a watch without `timeoutSeconds` ends: 30 to 60 minutes. */
const WATCH_SECONDS_MIN = 1800;
/** Watches that may be open. */
const WATCHES_MAX = 1000;

/** The form of objects that a request asks for. Throws ApiError 406. */
export function formsOf({ route, query, request }: ResourceRequest, clock: Clock): ObjectForms {
  const form = negotiateForm(request.headers["accept"], query.get("includeObject"));
  return new ObjectForms(route.kind, form, clock);
}

/** What reads are answered with. */
export interface ResourceReadsOptions {
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborts when the control plane stops; all watches end. */
  readonly stop: AbortSignal;
}

/** Answers reads. */
export class ResourceReads {
  readonly #options: ResourceReadsOptions;
  readonly #pastLists: PastLists;
  #watches = 0;

  constructor(options: ResourceReadsOptions) {
    this.#options = options;
    this.#pastLists = new PastLists(options.storage);
  }

  /** Throws ApiError. */
  answer(call: ResourceRequest): HttpResponse {
    const { route, query } = call;
    const forms = formsOf(call, this.#options.clock);
    const isWatch = flag(query.get("watch")) === true;
    if (isWatch && route.subresource === null) return this.#watch(call, forms);
    if (route.name === null) return this.#list(call, forms);
    return this.#get(call, route.name, forms);
  }

  /** The selector of a collection request. */
  selector(call: ResourceRequest): Selector {
    const { kind, name } = call.route;
    const fields = parseFieldSelector(kind, call.query.get("fieldSelector") ?? "");
    const labels = parseLabelSelector(call.query.get("labelSelector") ?? "");
    const selected = both(fields, labels);
    return name === null ? selected : both((object) => object.metadata.name === name, selected);
  }

  /** One object, as it is now whatever version the client has seen. */
  #get(call: ResourceRequest, name: string, forms: ObjectForms): HttpResponse {
    const { kind, namespace } = call.route;
    this.#checkNotAhead(wholeNumber(call.query, "resourceVersion") ?? 0);
    const object = this.#options.storage.get(kind.kept, namespace, name);
    if (object === null) throw notFound(kind.ref, name);
    return jsonResponse(200, forms.one(object));
  }

  /** With a token: the next page of a list that has begun. */
  #list(call: ResourceRequest, forms: ObjectForms): HttpResponse {
    const options = listOptions(call.query);
    const list = this.#paged(call, options);
    const { token } = options;
    const page = token === "" ? this.#firstPage(list, options) : nextPage(list, token);
    if (page.meta.continue === undefined) this.#pastLists.forget(call.route.kind.kept);
    return jsonResponse(200, forms.many(page.objects, page.meta));
  }

  /** The first page of a list: of an exact version, or of the newest, which satisfies any other. */
  #firstPage(list: PagedList, options: ListOptions): Page {
    const version = options.version ?? 0;
    this.#checkNotAhead(version);
    // Kubernetes API concepts, "Semantics for get and list": with a limit a version is meant
    // exactly.
    const isExact = options.match === "Exact" || (options.match === "" && options.limit > 0);
    const revision = isExact && version > 0 ? version : list.revision;
    const objects = list.at(revision);
    if (objects === null) throw expired("The resourceVersion for the provided list is too old.");
    return pageOf(list, objects, { revision, start: "" });
  }

  #paged(call: ResourceRequest, options: ListOptions): PagedList {
    const { kind, namespace } = call.route;
    const selector = this.selector(call);
    const given = ["labelSelector", "fieldSelector"].map((name) => call.query.get(name) ?? "");
    const isSelective = given.some((text) => text !== "");
    const at = (revision: number): readonly StoredObject[] | null => {
      const objects = this.#pastLists.at({ kind: kind.kept, namespace, revision });
      return isSelective ? (objects?.filter(selector) ?? null) : objects;
    };
    return { limit: options.limit, isSelective, revision: this.#options.storage.revision, at };
  }

  #watch(call: ResourceRequest, forms: ObjectForms): HttpResponse {
    const { route, request } = call;
    const options = listOptions(call.query);
    if (this.#watches >= WATCHES_MAX)
      throw new ApiError("TooManyRequests", "too many watches are open; try again later", {
        retryAfterSeconds: 5,
      });
    const start = this.#startOf(call, options);
    const inNamespace: Selector = (object) =>
      route.namespace === "" || object.metadata.namespace === route.namespace;
    const seconds =
      options.timeoutSeconds || Math.floor(WATCH_SECONDS_MIN * (1 + this.#options.random()));
    const stream = watchStream({
      log: this.#options.storage.log(route.kind.kept),
      forms,
      selector: both(inNamespace, this.selector(call)),
      ...start,
      newestRevision: () => this.#options.storage.revision,
      bookmarks: options.bookmarks,
      timeoutMs: seconds * 1000,
      clock: this.#options.clock,
      signal: AbortSignal.any([request.signal, this.#options.stop]),
    });
    return streamResponse(this.#counted(stream));
  }

  /**
   * Version unset or 0, or `sendInitialEvents`: the present objects first; else the changes after
   * the version.
   */
  #startOf(call: ResourceRequest, options: ListOptions): WatchStart {
    const { storage } = this.#options;
    const { kind, namespace } = call.route;
    const version = options.version ?? 0;
    this.#checkNotAhead(version);
    const asked = options.sendInitialEvents;
    // The end of the initial events is marked by a bookmark, so only for clients that take
    // bookmarks.
    const endsInitialWithBookmark = asked === true && options.bookmarks;
    if (asked ?? version === 0)
      return {
        initial: storage.list(kind.kept, namespace).filter(this.selector(call)),
        endsInitialWithBookmark,
        fromRevision: this.#options.storage.revision,
      };
    // A version that is no longer kept is reported in the stream, as Kubernetes does.
    const fromRevision = version === 0 ? this.#options.storage.revision : version;
    return { initial: null, endsInitialWithBookmark, fromRevision };
  }

  /** Counts from the first read to the end, however the stream ends. */
  async *#counted(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#watches += 1;
    try {
      yield* stream;
    } finally {
      this.#watches -= 1;
    }
  }

  /**
   * A version that this server has not reached comes from another one, or from a store that was put
   * back.
   */
  #checkNotAhead(version: number): void {
    if (version <= this.#options.storage.revision) return;
    throw new ApiError(
      "Timeout",
      `Too large resource version: ${version}, current: ${this.#options.storage.revision}`,
      {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
    );
  }
}
