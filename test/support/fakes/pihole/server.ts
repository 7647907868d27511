/**
 * A stateful fake of Pi-hole 6 (FTL's `src/api/auth.c` and `config.c`, 2026-11): sessions by
 * password, and two lists of lines, each added and removed whole. Faults are set by tests.
 */
import { isIP } from "node:net";
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

/** A running fake. */
export class FakePihole extends FakeApi {
  password = "the-pihole-password";
  readonly lists: Readonly<Record<string, string[]>> = { hosts: [], cnameRecords: [] };
  readonly #sessions = new Set<string>();
  #count = 0;

  /** All sessions end. */
  endSessions(): readonly string[] {
    const ended = [...this.#sessions];
    this.#sessions.clear();
    return ended;
  }

  protected answer({ method, url, headers, body }: FakeCall): FakeAnswer {
    if (url.pathname === "/api/auth" && method === "POST") return this.#login(body);
    if (!this.#sessions.has(String(headers["x-ftl-sid"])))
      return refused(401, "unauthorized", "Unauthorized");
    const [, name = "", item] = /^\/api\/config\/dns\/(\w+)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const list = this.lists[name];
    if (list === undefined) return { status: 404, body: {} };
    if (method === "GET" && item === undefined)
      return { status: 200, body: { config: { dns: { [name]: list } }, took: 0.001 } };
    const line = decodeURIComponent(item ?? "");
    const at = list.indexOf(line);
    if (method === "DELETE") {
      if (at < 0) return { status: 404, body: {} };
      list.splice(at, 1);
      return { status: 204 };
    }
    if (at >= 0) return refused(400, "bad_request", "Item already present");
    if (!isValid(name, line)) return refused(400, "bad_request", "Invalid value");
    // dnsmasq tries the configuration, and knows each name once.
    const isTwice = list.some((one) => one.split(",")[0] === line.split(",")[0]);
    if (name === "cnameRecords" && isTwice)
      return refused(400, "bad_request", "Invalid configuration");
    list.push(line);
    return { status: 201, body: {} };
  }

  #login(body: string): FakeAnswer {
    const { password } = JSON.parse(body) as { readonly password?: string };
    if (password !== this.password) {
      const session = { valid: false, totp: false, sid: null, message: "password incorrect" };
      return { status: 401, body: { session } };
    }
    this.#count += 1;
    const sid = `sid-of-session-${this.#count}`;
    this.#sessions.add(sid);
    return { status: 200, body: { session: { valid: true, sid, csrf: "c", validity: 1800 } } };
  }
}

function isValid(list: string, line: string): boolean {
  const [first = "", ...more] = line.split(list === "hosts" ? " " : ",");
  const isName = (text: string): boolean => /^[\w.-]+$/.test(text);
  return (
    more.length > 0 && more.every(isName) && (list === "hosts" ? isIP(first) > 0 : isName(first))
  );
}

function refused(status: number, key: string, message: string): FakeAnswer {
  return { status, body: { error: { key, message, hint: null }, took: 0.001 } };
}
