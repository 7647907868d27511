/**
 * What a session proves itself with at run time: access tokens, tokens of Keystone and STS,
 * cookies, signed assertions. Whoever was sent one may repeat it; it is seen where it is sent, so
 * that no provider has to tell. Nothing here knows an API.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { OpenVendorHttp } from "../../ports/vendor-http.ts";
import { CREDENTIAL } from "./hidden-secrets.ts";

/** One token is followed by the next; the oldest go first. */
const VALUES_MAX = 16;

/** One for each session. */
export class SentSecrets {
  readonly #values = new BoundedMap<string, true>(VALUES_MAX);

  /** The newest last; at most 16. */
  get values(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** The same HTTP, whose requests are noted. */
  noting(open: OpenVendorHttp): OpenVendorHttp {
    return (target) => {
      const client = open(target);
      return {
        send: (request) => {
          const { headers, body } = request;
          for (const value of [...proofsIn(headers), ...proofsInForm(headers, body)])
            this.#values.set(value, true);
          return client.send(request);
        },
        close: () => client.close(),
      };
    };
  }
}

/** `Bearer …`, `Basic …`, a token alone, `Signature=…`, `name=…` of a cookie. */
const PROOF = /^(?:Bearer |Basic |[\w-]+="?)?(?<proof>[^\s"]+)"?$|\bSignature=(?<signature>\w+)/;

function proofsIn(headers: HttpHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!/^(authorization|cookie)$/i.test(name)) return CREDENTIAL.test(name) ? [value] : [];
    const { proof, signature } = PROOF.exec(value)?.groups ?? {};
    return proof ?? signature ?? [];
  });
}

/** What token hosts are sent: `assertion=…`, `client_secret=…`. */
function proofsInForm(headers: HttpHeaders, body: Uint8Array | null): readonly string[] {
  if (body === null || !/x-www-form-urlencoded/.test(headers["content-type"] ?? "")) return [];
  const form = new URLSearchParams(new TextDecoder().decode(body));
  return [...form].flatMap(([name, value]) => (CREDENTIAL.test(name) ? [value] : []));
}
