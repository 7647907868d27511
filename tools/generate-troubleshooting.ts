/** Writes docs/guides/troubleshooting.md from the table of mistakes. A test compares the two. */
import { writeFileSync } from "node:fs";
import { troubleshootingPage } from "./troubleshooting-page.ts";

writeFileSync("docs/guides/troubleshooting.md", troubleshootingPage());
