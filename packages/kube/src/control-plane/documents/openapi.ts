/**
 * OpenAPI documents that kubectl validates and explains with: v2, always as protobuf, and v3, one
 * document for each group and version.
 */
import type { HttpHeaders, HttpResponse } from "@zonekeeper/base/ports/http";
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
  openApiV2,
  schemaName,
  shownSchema,
  versionPath,
  WRITE_PARAMETERS,
} from "./openapi-v2.ts";

/** Clients ask with `@` before `v1.0`, which no media type may have: kubectl 1.20 refuses it. */
const V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const ENCODER = new TextEncoder();

/** Answers `/openapi/…`. Documents are made for the first request after the kinds have changed. */
export class OpenApi {
  #kinds: readonly ServedKind[] = [];
  /** By path: `v2`, `v3`, `v3/apis/dns.gardener.cloud/v1alpha1`. */
  #documents: ReadonlyMap<string, Uint8Array> = new Map();

  /**
   * The answer for a path of segments, or null when nothing is there. `kinds` are those that are
   * served; a change is another list.
   */
  answer(
    kinds: readonly ServedKind[],
    segments: readonly string[],
    headers: HttpHeaders,
  ): HttpResponse | null {
    const [root, ...rest] = segments;
    if (root !== "openapi") return null;
    if (kinds !== this.#kinds) this.#documents = documentsOf(kinds);
    this.#kinds = kinds;
    const document = this.#documents.get(rest.join("/"));
    if (document === undefined) return null;
    const etag = `"${hashOf(document)}"`;
    const type = rest[0] === "v2" ? V2_PROTOBUF : "application/json";
    const isKnown = headers["if-none-match"] === etag;
    return bytesResponse(isKnown ? 304 : 200, isKnown ? new Uint8Array() : document, {
      "content-type": type,
      etag,
      vary: "Accept",
    });
  }
}

function documentsOf(kinds: readonly ServedKind[]): ReadonlyMap<string, Uint8Array> {
  const encoded = (value: object): Uint8Array => ENCODER.encode(JSON.stringify(value));
  const v3 = [...new Set(kinds.map(versionPath))].map((path) => {
    const group = kinds.filter((kind) => versionPath(kind) === path);
    return [path, encoded(documentV3(group))] as const;
  });
  const paths = v3.map(([path, document]) => {
    const serverRelativeURL = `/openapi/v3/${path}?hash=${hashOf(document)}`;
    return [path, { serverRelativeURL }] as const;
  });
  return new Map([
    ["v2", openApiV2(kinds, INFO)],
    ["v3", encoded({ paths: Object.fromEntries(paths) })],
    ...v3.map(([path, document]) => [`v3/${path}`, document] as const),
  ]);
}

/** The `info` of every document. */
const INFO: ApiInfo = { title: "Zonekeeper embedded control plane", version: "v1.32.0" };

/** Upper-case hex, as in the `hash` that kubectl repeats. */
function hashOf(bytes: Uint8Array): string {
  return contentHash(new TextDecoder("latin1").decode(bytes)).toUpperCase();
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
