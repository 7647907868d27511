/**
 * Writes docs/reference/sources.md from the list of sources.
 * test/tidy/sources.test.ts fails while they differ.
 */
import { writeFileSync } from "node:fs";
import { SOURCES } from "../src/sources/index.ts";
import { sourcesPage } from "./sources-pages/sources-page.ts";

writeFileSync("docs/reference/sources.md", sourcesPage(SOURCES));
