/** The text of an answer as a client shows it: the API answers JSON. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { AnsweredExplanation, ExplainDocument } from "../../../src/app/api/documents.ts";
import { explainText } from "../../../src/app/commands/ask/texts/explain-text.ts";
import { planMarkdown } from "../../../src/app/commands/ask/texts/plan-markdown.ts";
import { isApiDocument, textOf } from "../../../src/app/commands/ask/texts/text-of.ts";

/** `headers`: of the request; `text/plain` and `text/markdown` are what a client makes of JSON. */
export async function asClients(
  response: Response,
  { accept }: Readonly<Record<string, string>>,
): Promise<Pick<Response, "status" | "headers"> & { readonly text: string }> {
  const { status, headers } = response;
  return { status, headers, text: await clientText(response, accept) };
}

async function clientText(response: Response, accept: string | undefined): Promise<string> {
  const text = await response.text();
  const isPage = !response.headers.get("content-type")?.includes("json");
  if (!response.ok || isPage) return text;
  const document: unknown = JSON.parse(text);
  if (!isApiDocument(document)) return text;
  if (accept === "text/markdown" && document.schema === "zonekeeper.dev/plan/v1")
    return planMarkdown(document);
  const shown = accept === "text/plain" ? textOf(document, { columns: null, color: false }) : text;
  return shown ?? text;
}

/** What `explain` prints of a name that these zones explain, beside which nothing is known. */
export function explainedText(
  name: DnsName,
  zones: readonly AnsweredExplanation[],
  more: Partial<ExplainDocument> = {},
): string {
  return explainText({
    schema: "zonekeeper.dev/explain/v1",
    ...{ name, zones, wishes: [], providers: [], unread: [] },
    ...{ caches: [], clusters: [], dryRun: null },
    ...more,
  });
}
