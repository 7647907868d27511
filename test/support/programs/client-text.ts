/** The text of an answer as a client shows it: the API has a plan in JSON alone. */
import { planMarkdown } from "../../../src/app/commands/ask/plan-markdown.ts";
import { planText } from "../../../src/app/commands/ask/plan-text.ts";

/** `headers`: of the request. */
export async function asClients(
  response: Response,
  { accept }: Readonly<Record<string, string>>,
): Promise<Pick<Response, "status" | "headers"> & { readonly text: string }> {
  const { status, headers } = response;
  return { status, headers, text: await textOf(response, accept) };
}

async function textOf(response: Response, accept: string | undefined): Promise<string> {
  const text = await response.text();
  if (!response.ok || !new URL(response.url).pathname.startsWith("/api/v1/plan")) return text;
  if (accept === "text/markdown") return planMarkdown(JSON.parse(text));
  return accept === "text/plain" ? planText(JSON.parse(text), { width: null, color: false }) : text;
}
