/** Writes docs/reference/openapi.json and api.md; test/tidy/openapi.test.ts looks at the routes. */
import { writeFileSync } from "node:fs";
import { apiPage, openApiDocument } from "./openapi/openapi-document.ts";

writeFileSync("docs/reference/openapi.json", `${JSON.stringify(openApiDocument(), null, 1)}\n`);
writeFileSync("docs/reference/api.md", apiPage());
