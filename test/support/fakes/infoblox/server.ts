/** A fake of Infoblox WAPI over HTTP: logins, paging, single objects and `request`. */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";
import { FakeGrid, GridError, type ObjectFields } from "./grid.ts";

/** Objects that an answer without paging holds at most (WAPI, `_max_results`). */
const RESULTS_MAX = 1000;
/** What a login that fails is answered with: a page for browsers. */
const LOGIN_PAGE = `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">
<html><head><title>401 Authorization Required</title></head><body></body></html>`;

/** A running fake. */
export class FakeInfoblox extends FakeApi {
  readonly grid = new FakeGrid();
  readonly user: string;
  #password: string;
  /** Methods of each `request`, in their order: `DELETE POST`. */
  readonly requests: string[] = [];
  /** Logins by name and password; a cookie is none. */
  logins = 0;

  constructor(user: string, password: string) {
    super();
    this.user = user;
    this.#password = password;
  }

  get password(): string {
    return this.#password;
  }

  /** Cookies that were given count no more, either. */
  set password(password: string) {
    this.#password = password;
    this.#changes += 1;
  }

  #changes = 0;

  protected answer(call: FakeCall): FakeAnswer {
    const { authorization, cookie } = call.headers;
    const basic = Buffer.from(`${this.user}:${this.password}`).toString("base64");
    const right = `ibapauth="group=admin,ctime=${this.#changes},ip=127.0.0.1"`;
    if (cookie !== right) {
      if (authorization !== `Basic ${basic}`) return { status: 401, text: LOGIN_PAGE };
      this.logins += 1;
    }
    try {
      const headers = { "set-cookie": `${right}; path=/` };
      return { headers, ...this.#serve(call) };
    } catch (error) {
      if (error instanceof GridError) return { status: error.status, body: error.body };
      throw error;
    }
  }

  #serve({ method, url, body }: FakeCall): FakeAnswer {
    const path = decodeURIComponent(url.pathname).replace(/^\/wapi\/v2\.[\d.]+\//, "");
    const data = body === "" ? {} : (JSON.parse(body) as ObjectFields);
    if (method === "GET") return { status: 200, body: this.#page(path, url.searchParams) };
    if (path === "request") {
      const calls = data as unknown as readonly ObjectFields[];
      this.requests.push(calls.map(({ method: one }) => one).join(" "));
      return { status: 201, body: this.grid.transaction(() => calls.map((one) => this.#one(one))) };
    }
    const ref = this.grid.transaction(() => this.#write(method, path, data));
    const returned = url.searchParams.get("_return_fields");
    const answer = returned === null || method === "DELETE" ? ref : this.grid.read(ref, returned);
    return { status: method === "POST" ? 201 : 200, body: answer };
  }

  /** One call of `request`. */
  #one({ method, object, data = {}, args = {} }: ObjectFields): unknown {
    const fields = data as ObjectFields;
    if (method !== "GET") return this.#write(String(method), String(object), fields);
    const { _return_fields: returned } = args as Readonly<Record<string, string>>;
    return this.grid.find(String(object), fields, returned ?? null);
  }

  #write(method: string, path: string, data: ObjectFields): string {
    if (method === "POST") return this.grid.create(path, data);
    if (method === "PUT") return this.grid.change(path, data);
    if (method === "DELETE") return this.grid.remove(path);
    throw new GridError(400, "Proto", "AdmConProtoError: Bad method", "Bad method");
  }

  #page(object: string, parameters: URLSearchParams): unknown {
    const query = Object.fromEntries([...parameters].filter(([key]) => !key.startsWith("_")));
    const returned = parameters.get("_return_fields");
    const all = this.grid.find(object, query, returned);
    if (parameters.get("_paging") !== "1") {
      const result = all.slice(0, RESULTS_MAX);
      return parameters.get("_return_as_object") === "1" ? { result } : result;
    }
    const text = "_paging requires _return_as_object and _max_results";
    if (parameters.get("_return_as_object") !== "1" || !parameters.has("_max_results"))
      throw new GridError(400, "Proto", `AdmConProtoError: ${text}`, text);
    const size = Math.min(Number(parameters.get("_max_results")), RESULTS_MAX);
    const start = Number(parameters.get("_page_id") ?? 0);
    const next = start + size;
    const result = all.slice(start, next);
    return next < all.length ? { next_page_id: String(next), result } : { result };
  }
}
