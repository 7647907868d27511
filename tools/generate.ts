/**
 * Writes every generated page of docs, the roles and the rules of the chart. `npm run generate`;
 * script/check compares with git.
 */
import "./errors-page.ts";
import "./generate-alerts.ts";
import "./generate-annotations.ts";
import "./generate-chart.ts";
import "./generate-external-dns.ts";
import "./generate-library.ts";
import "./generate-metrics.ts";
import "./generate-openapi.ts";
import "./generate-options.ts";
import "./generate-rights.ts";
import "./generate-sources.ts";
import "./generate-troubleshooting.ts";
