/**
 * The API as an OpenAPI document: routes from their table, schemas from the types of the documents
 * that the program answers, so that neither is written twice.
 */
import { createGenerator } from "ts-json-schema-generator";
import { VERSION } from "../../src/app/ports/version.ts";
import { API_ROUTES, type ApiRoute } from "./api-routes.ts";

type Json = Readonly<Record<string, unknown>>;

const SCHEMAS = "#/components/schemas/";
const REFUSAL = {
  type: "object",
  description: "Why it was refused.",
  properties: {
    code: { type: "string" },
    message: { type: "string", description: "For people, with what to do." },
    leader: { type: "string", description: "With StandingBy: who leads; empty = not known." },
  },
  required: ["code", "message"],
};

/** OpenAPI 3.1. Reads the sources below the working folder; takes seconds. */
export function openApiDocument(): Json {
  const generator = createGenerator({
    path: "src/app/api/documents.ts",
    tsconfig: "tsconfig.json",
    type: "ApiDocument",
    skipTypeCheck: true,
    additionalProperties: true,
  });
  const { ApiDocument: _, ...schemas } = generator.createSchema("ApiDocument").definitions ?? {};
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openapi: "3.1.0",
    info: {
      title: "Zonekeeper",
      version: VERSION,
      description:
        "What a running instance answers. A document grows new fields; its schema has another number when one is removed or means something else.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    security: [{ token: [] }, { bearer: [] }, { session: [] }],
    paths: pathsOf(API_ROUTES),
    components: {
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "x-zonekeeper-token" },
        bearer: { type: "http", scheme: "bearer" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "zonekeeper-PORT",
          description: "Of a browser that zonekeeper open let in; orders need their Origin.",
        },
      },
      schemas: { Refusal: REFUSAL, ...(rewritten(sorted) as Json) },
    },
  };
}

function pathsOf(routes: readonly ApiRoute[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], ...operationOf(route) };
  return paths;
}

function operationOf({ path, method, summary, query = {}, answers, contentType }: ApiRoute): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
  }));
  const inQuery = Object.entries(query).map(([name, description]) => ({
    ...{ name, in: "query", description, schema: { type: "string" } },
  }));
  const parameters = [...inPath, ...inQuery];
  return {
    [method]: {
      summary,
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: {
        200: { description: "The answer.", ...contentOf(answers, contentType) },
        default: {
          description: "A refusal.",
          content: { "application/json": { schema: { $ref: `${SCHEMAS}Refusal` } } },
        },
      },
    },
  };
}

function contentOf(answers: readonly string[], contentType = "application/json"): Json {
  const refs = answers.map((type) => ({ $ref: `${SCHEMAS}${type}` }));
  const [first, ...more] = refs;
  if (first === undefined)
    return contentType === "application/json" ? {} : { content: { [contentType]: {} } };
  return { content: { [contentType]: { schema: more.length === 0 ? first : { oneOf: refs } } } };
}

/** With references as OpenAPI has them. */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isRef = key === "$ref" && typeof inner === "string";
    return [key, isRef ? inner.replace("#/definitions/", SCHEMAS) : rewritten(inner)];
  });
  return Object.fromEntries(entries);
}

/** The page of docs. */
export function apiPage(): string {
  const rows = API_ROUTES.map(({ path, method, summary, query = {}, answers }) => {
    const names = Object.keys(query).map((name) => `\`${name}\``);
    const types = answers.map((type) => `\`${type}\``);
    const cells = [method.toUpperCase(), `\`${path}\``, names.join(" "), types.join(" "), summary];
    return `| ${cells.join(" | ")} |`;
  });
  return `# The API of an instance

<!-- Made by npm run generate from tools/openapi/api-routes.ts. -->

Commands and the page (\`zonekeeper open\`) ask it. The documents, field by field: [openapi.json](openapi.json) (OpenAPI 3.1, made from the types in the source).
Who may ask: [security.md](security.md). A refusal has a code and a sentence for people. An instance that stands by answers reads from its own
plan (\`dryRun\` says so, and who leads), and orders with 409 \`StandingBy\`.

| | path | queries | document | for |
|---|---|---|---|---|
${rows.join("\n")}
`;
}
