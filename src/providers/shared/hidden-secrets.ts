/**
 * A session that shows nothing of its Secret and its tokens: servers, and whoever is between,
 * repeat what they were sent, and their words go into statuses and logs. Changes messages only, and
 * knows no API.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { Outcome } from "../../plan/changes.ts";
import type { OpenVendorHttp } from "../../ports/vendor-http.ts";
import { type ProviderSession, type ProviderSettings, sessionAround } from "../provider.ts";

/** Keys and fields whose values nobody may see; others name what people look for. */
const CREDENTIAL = /(password|token|secret|assertion|key|external_?id)$/i;
/** Shorter ones are words that a message may hold anyway. */
const CHARACTERS_MIN = 8;
/** Of a value of which not all is there. */
const HEAD_CHARACTERS = CHARACTERS_MIN;

/** The same session to whoever calls it, but for messages. `sent`: what it got and sent since. */
export function withoutSecrets(
  session: ProviderSession,
  { secret }: Pick<ProviderSettings, "secret">,
  sent: { readonly values: readonly string[] },
): ProviderSession {
  const given = credentialsIn(secret);
  const shown = (text: string): string =>
    [...given, ...sent.values]
      .filter((value) => value.length >= CHARACTERS_MIN)
      .flatMap(spellings)
      .reduce(hide, text);
  const safe =
    <A extends readonly unknown[], T>(method: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      try {
        return await method(...given);
      } catch (error) {
        throw safeError(error, shown);
      }
    };
  return sessionAround(session, {
    ...{ zones: safe, records: safe, changeToken: safe, changesSince: safe, propagationOf: safe },
    apply:
      (method) =>
      (...given) =>
        safeOutcomes(method(...given), shown),
  });
}

/** The lines of a private key, in a PEM or in JSON; a line between dashes is everybody's. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?<lines>[^-]*)/g;
const LINE_END = /\s+|\\[nr]/;

/** Of the Secret, of files in JSON that it holds, and of the private keys in either. */
function credentialsIn(secret: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(secret).flatMap(([key, text]) => {
    const file = jsonFields(text).filter(([field]) => CREDENTIAL.test(field));
    const lines = [...text.matchAll(PRIVATE_KEY)].flatMap(
      ({ groups }) => groups?.["lines"]?.split(LINE_END) ?? [],
    );
    const own = CREDENTIAL.test(key) ? [text.trim()] : [];
    return [...own, ...file.map(([, value]) => value.trim()), ...lines];
  });
}

/** The texts of an object and of those inside it; empty = it is no JSON. */
function jsonFields(text: string): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  try {
    JSON.parse(text, (field, value: unknown) => {
      if (typeof value === "string") found.push([field, value]);
      return value;
    });
  } catch {
    return [];
  }
  return found;
}

async function* safeOutcomes(
  outcomes: AsyncIterable<Outcome>,
  shown: (text: string) => string,
): AsyncIterable<Outcome> {
  try {
    for await (const outcome of outcomes)
      yield "message" in outcome ? { ...outcome, message: shown(outcome.message) } : outcome;
  } catch (error) {
    throw safeError(error, shown);
  }
}

/** The same error if it shows nothing; else one without its cause, which may show it too. */
function safeError(error: unknown, shown: (text: string) => string): unknown {
  if (!(error instanceof OperationError)) return error;
  const messages = messagesOf(error);
  if (shown(messages) === messages) return error;
  return new OperationError({ ...error, message: shown(error.message), cause: undefined });
}

/** Messages of the error and of what caused it. */
function messagesOf(error: Error): string {
  const { cause, message } = error;
  return cause instanceof Error ? `${message} ${messagesOf(cause)}` : `${message} ${String(cause)}`;
}

/** The value as it is, and as addresses, forms, pages, JSON and Basic authentication have it. */
function spellings(value: string): readonly string[] {
  const form = new URLSearchParams({ v: value }).toString().slice("v=".length);
  const page = value.replace(/[&<>"']/g, (one) => PAGE_TEXTS[one] ?? one);
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const bytes = Buffer.from(value).toString("base64").replace(/=+$/, "");
  return [...new Set([value, encodeURIComponent(value), form, page, json, ascii, bytes])];
}

const PAGE_TEXTS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Each place where the value begins, as far as it goes on. */
function hide(text: string, value: string): string {
  const head = value.slice(0, HEAD_CHARACTERS);
  const tail = value.slice(HEAD_CHARACTERS);
  const [first = "", ...rest] = text.split(head);
  const unhidden = rest.map((piece) => {
    let length = 0;
    while (length < piece.length && piece[length] === tail[length]) length += 1;
    return piece.slice(length);
  });
  return [first, ...unhidden].join("…");
}

// What a session proves itself with at run time: access tokens, tokens of Keystone and STS,
// cookies, signed assertions. Whoever was sent one may repeat it; it is seen where it is sent, so
// that no provider has to tell.

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
