/**
 * The token of the API of a Pod, in a file of a mounted Secret. Read whenever it is needed, so that
 * a new or changed token needs no restart. No message and no log holds the token.
 */
import { readFileSync } from "node:fs";
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { HealthCheck } from "../compose/instance.ts";
import { systemCodeOf } from "../ports/system-error.ts";

/** Least characters: 96 bits, as base64. */
const LENGTH_MIN = 16;

/** A file. A change is logged when it is noticed, at a request or a probe. */
export class TokenFile {
  readonly #path: string;
  readonly #log: Log;
  #last: Result<string> | null = null;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** As the file is now; the error says what to do. */
  read(): Result<string> {
    const found = this.#found();
    const last = this.#last;
    this.#last = found;
    const file = this.#path;
    if (JSON.stringify(found) === JSON.stringify(last)) return found;
    if (!found.ok) this.#log.warn("API has no token", { file, reason: found.error });
    else
      this.#log.info(last?.ok === true ? "API has another token" : "API has its token", { file });
    return found;
  }

  /** Without a token only the API is missing: names are published all the same. */
  checks(): readonly HealthCheck[] {
    const found = this.read();
    const message = found.ok ? "" : found.error;
    return [{ name: "api token", ok: found.ok, readyAnyway: true, message }];
  }

  #found(): Result<string> {
    const token = this.#text();
    if (!token.ok) return token;
    if (token.value === "") return fail(`the token file ${this.#path} is empty; ${this.#remedy}`);
    if (token.value.length < LENGTH_MIN)
      return fail(
        `the token in ${this.#path} has ${token.value.length} characters, fewer than ${LENGTH_MIN}; ${this.#remedy}`,
      );
    // What an HTTP header can carry (RFC 9110 §5.5), without blanks.
    if (!/^[\x21-\x7e]+$/.test(token.value))
      return fail(
        `the token in ${this.#path} has blanks, or characters that are not ASCII; ${this.#remedy}`,
      );
    return token;
  }

  /** Without the newline that editors add. */
  #text(): Result<string> {
    try {
      return ok(readFileSync(this.#path, "utf8").trim());
    } catch (error) {
      const isMissing = systemCodeOf(error) === "ENOENT";
      const why = isMissing ? "does not exist" : `cannot be read (${messageOf(error)})`;
      return fail(`the token file ${this.#path} ${why}; ${this.#remedy}`);
    }
  }

  get #remedy(): string {
    return `give the Secret that the Pod mounts there a token: kubectl create secret generic NAME --from-literal=token=$(openssl rand -hex 24). It is taken without a restart`;
  }
}
