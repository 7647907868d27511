/** Writes docs/reference/library.md. */
import { writeFileSync } from "node:fs";
import { libraryPage } from "./library-page.ts";

writeFileSync("docs/reference/library.md", libraryPage());
