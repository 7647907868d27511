/** Writes docs/reference/metrics.md from the metrics table. A unit test compares the two. */
import { writeFileSync } from "node:fs";
import { metricsPage } from "./metrics-page.ts";

writeFileSync("docs/reference/metrics.md", metricsPage());
