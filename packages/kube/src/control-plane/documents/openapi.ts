/**
 * OpenAPI documents that kubectl validates and explains with: v2, always as protobuf, and v3, one
 * document for each group and version.
 */
import type { HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import { bytesResponse } from "../http/body.ts";
import { contentHash } from "../json/content-hash.ts";
import type { JsonObject } from "../json/json.ts";
import { METADATA_SCHEMA } from "../objects/metadata.ts";
import type { ServedKind } from "../objects/served-kind.ts";
import {
  type ApiInfo,
  collectionPath,
  groupVersionKind,
  META_NAME,
  schemaName,
  shownSchema,
  versionPath,
  WRITE_PARAMETERS,
} from "./openapi-names.ts";
import { openApiV2 } from "./openapi-v2.ts";

/** Clients ask with `@` before `v1.0`, which no media type may have: kubectl 1.20 refuses it. */
const V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const ENCODER = new TextEncoder();

/**
 * Answers `/openapi/…`. Documents are made for the first request, and again after `forget`.
 */
export class OpenApi {
  readonly #kinds: () => readonly ServedKind[];
  #documents: Documents | null = null;

  /** `kinds` gives the kinds that are served at present. */
  constructor(kinds: () => readonly ServedKind[]) {
    this.#kinds = kinds;
  }

  /** The kinds have changed. */
  forget(): void {
    this.#documents = null;
  }

  /** The answer for a path of segments, or null when nothing is there. */
  answer(segments: readonly string[], request: HttpRequest): HttpResponse | null {
    const [root, version, ...rest] = segments;
    if (root !== "openapi") return null;
    this.#documents ??= documentsOf(this.#kinds());
    if (version === "v2" && rest.length === 0)
      return cached(this.#documents.v2, V2_PROTOBUF, request);
    if (version !== "v3") return null;
    if (rest.length === 0) return indexAnswer(this.#documents, request);
    const document = this.#documents.v3.get(rest.join("/"));
    return document === undefined ? null : cached(document, "application/json", request);
  }
}

/** The encoded documents; v3 by path of group and version. */
interface Documents {
  readonly v3: ReadonlyMap<string, Uint8Array>;
  readonly v2: Uint8Array;
}

function documentsOf(kinds: readonly ServedKind[]): Documents {
  const paths = [...new Set(kinds.map(versionPath))];
  const v3 = new Map(
    paths.map((path) => {
      const group = kinds.filter((kind) => versionPath(kind) === path);
      return [path, ENCODER.encode(JSON.stringify(documentV3(group)))];
    }),
  );
  return { v3, v2: openApiV2(kinds, INFO) };
}

/** The paths of the v3 documents with their hashes. */
function indexAnswer(documents: Documents, request: HttpRequest): HttpResponse {
  const paths = Object.fromEntries(
    [...documents.v3].map(([path, document]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(document)}` },
    ]),
  );
  return cached(ENCODER.encode(JSON.stringify({ paths })), "application/json", request);
}

/** Told in every document. */
const INFO: ApiInfo = { title: "Zonekeeper embedded control plane", version: "v1.32.0" };

/** Upper-case hex, as in the `hash` that kubectl repeats. */
function hashOf(bytes: Uint8Array): string {
  return contentHash(new TextDecoder("latin1").decode(bytes)).toUpperCase();
}

/** 304 when the client has these very bytes. */
function cached(bytes: Uint8Array, contentType: string, request: HttpRequest): HttpResponse {
  const etag = `"${hashOf(bytes)}"`;
  const headers = { "content-type": contentType, etag, vary: "Accept" };
  if (request.headers["if-none-match"] === etag)
    return bytesResponse(304, new Uint8Array(), headers);
  return bytesResponse(200, bytes, headers);
}

const METADATA = {
  allOf: [{ $ref: `#/components/schemas/${META_NAME}` }],
  default: {},
};

/** One document for a group and version. */
function documentV3(kinds: readonly ServedKind[]): JsonObject {
  const schemas = Object.fromEntries(
    kinds.map((kind) => [schemaName(kind), shownSchema(kind, METADATA)]),
  );
  return {
    openapi: "3.0.0",
    info: INFO,
    paths: Object.fromEntries(kinds.flatMap(pathsV3)),
    components: { schemas: { [META_NAME]: METADATA_SCHEMA, ...schemas } },
  };
}

/**
 * kubectl looks for `patch` with the kind and a `fieldValidation` parameter before it trusts the
 * server to validate.
 */
function pathsV3(kind: ServedKind): readonly (readonly [string, JsonObject])[] {
  const root = collectionPath(kind);
  const operation = (action: string, parameters: readonly string[]): JsonObject => ({
    operationId: `${action}${kind.ref.kind}`,
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": groupVersionKind(kind),
    parameters: parameters.map((name) => ({ name, in: "query", schema: { type: "string" } })),
    responses: {
      "200": {
        description: "OK",
        content: {
          "application/json": { schema: { $ref: `#/components/schemas/${schemaName(kind)}` } },
        },
      },
    },
  });
  const collection = {
    get: operation("list", ["labelSelector"]),
    post: operation("post", WRITE_PARAMETERS),
  };
  const item = {
    get: operation("get", []),
    put: operation("put", WRITE_PARAMETERS),
    patch: operation("patch", [...WRITE_PARAMETERS, "force"]),
    delete: operation("delete", ["dryRun"]),
  };
  return [
    [root, collection],
    [`${root}/{name}`, item],
  ];
}
