/**
 * A fake of the instance metadata service of a node on loopback, which gives tokens of managed
 * identities (docs "How to use managed identities on a VM to acquire an access token").
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

/** A running fake. */
export class FakeImds extends FakeApi {
  /** Client ids of the identities that the node has. */
  readonly identities = new Set<string>();
  /** Of each question for a token. */
  asked: { readonly resource: string; readonly client: string | null }[] = [];
  /** A new token that counts. */
  grant: () => string = () => "";

  protected answer({ url, headers }: FakeCall): FakeAnswer {
    const { pathname, searchParams } = url;
    if (headers["metadata"] !== "true")
      return refusal("invalid_request", "Required metadata header not specified");
    if (
      !/^\/metadata\/identity\/oauth2\/token\/?$/.test(pathname) ||
      !searchParams.has("api-version")
    )
      return { status: 404, text: "" };
    const [resource, client] = [searchParams.get("resource") ?? "", searchParams.get("client_id")];
    this.asked.push({ resource, client });
    if (client !== null && !this.identities.has(client))
      return refusal("invalid_request", "Identity not found");
    return {
      status: 200,
      body: {
        access_token: this.grant(),
        client_id: client ?? [...this.identities][0],
        expires_in: "86399",
        expires_on: String(Math.floor(Date.now() / 1000) + 86_399),
        ext_expires_in: "86399",
        not_before: String(Math.floor(Date.now() / 1000)),
        resource,
        token_type: "Bearer",
      },
    };
  }
}

function refusal(error: string, error_description: string): FakeAnswer {
  return { status: 400, body: { error, error_description } };
}
