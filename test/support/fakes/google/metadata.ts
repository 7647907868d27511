/**
 * A fake of the metadata server of a node on loopback, which gives tokens of its service account
 * (docs "About VM metadata").
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

const FLAVOUR = { "metadata-flavor": "Google" } as const;
const PROJECT = "/computeMetadata/v1/project/project-id";
const TOKENS = "/computeMetadata/v1/instance/service-accounts/default/token";

/** A running fake. */
export class FakeMetadata extends FakeApi {
  /** Of each question for a token. */
  asked: string[] = [];
  hasAccount = true;
  project = "of-the-node";
  /** A new token that counts. */
  grant: () => string = () => "";

  protected answer({ url, headers }: FakeCall): FakeAnswer {
    if (headers["metadata-flavor"] !== "Google") return { status: 403, text: "Forbidden" };
    if (url.pathname === PROJECT) return { status: 200, text: this.project, headers: FLAVOUR };
    if (url.pathname !== TOKENS) return { status: 200, text: "attributes/\n", headers: FLAVOUR };
    this.asked.push(url.searchParams.get("scopes") ?? "");
    if (!this.hasAccount) return { status: 404, text: "Error 404", headers: FLAVOUR };
    const lives = { expires_in: 3599, token_type: "Bearer" };
    return { status: 200, body: { access_token: this.grant(), ...lives }, headers: FLAVOUR };
  }
}
