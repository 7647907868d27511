/**
 * A stateful fake of Alibaba Cloud DNS (API 2015-01-09) over HTTP: the actions that are used, with
 * signatures V3 and those of RPC-style calls (rpc-signature.ts) checked. Answers have the fields of
 * the documents' examples. Faults are set by tests.
 */
import { createHash, createHmac } from "node:crypto";
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";
import { FakeDomain, type FakeRecord, FakeRefusal, type Input } from "./fake-domain.ts";
import {
  canonicalQuery,
  rpcParameters,
  rpcSignature,
  rpcStringToSign,
  withoutCommon,
} from "./rpc-signature.ts";

const REQUEST_ID = "536E9CAD-DB30-4647-AC87-AA5CC38C5382";
/** Parameters of each action that are known here, beside `Lang` and `UserClientIp`. */
const RECORD = ["RR", "Type", "Value", "TTL", "Priority", "Line"];
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  DescribeDomains: ["PageNumber", "PageSize", "KeyWord", "SearchMode"],
  DescribeDomainInfo: ["DomainName", "NeedDetailAttributes"],
  DescribeDomainRecords: ["DomainName", "PageNumber", "PageSize", "RRKeyWord", "TypeKeyWord"],
  DescribeSubDomainRecords: ["SubDomain", "DomainName", "PageNumber", "PageSize", "Type", "Line"],
  AddDomainRecord: ["DomainName", ...RECORD],
  UpdateDomainRecord: ["RecordId", ...RECORD],
  DeleteDomainRecord: ["RecordId"],
};
const COMMON = ["Lang", "UserClientIp"];

/** The body of an answer without success. */
export function errorBody(code: string, message: string): string {
  const Recommend = `https://api.aliyun.com/troubleshoot?q=${code}&product=Alidns`;
  const HostId = "alidns.aliyuncs.com";
  return JSON.stringify({ RequestId: REQUEST_ID, Message: message, Recommend, HostId, Code: code });
}

/** A running fake. */
export class FakeAliDns extends FakeApi {
  readonly domains: FakeDomain[] = [];
  key = { id: "", secret: "" };
  /** Null = the key does not end. */
  securityToken: string | null = null;
  /** Zones that the key may not read or write. */
  readonly forbidden = new Set<string>();
  /** Changes an answer before it is sent. */
  disguise: (action: string, body: Readonly<Record<string, unknown>>) => unknown = (_, body) =>
    body;
  /** Called after each page of records, before its answer is sent. */
  afterPage: () => void = () => undefined;

  addDomain(id: string, name: string): FakeDomain {
    const domain = new FakeDomain(id, name);
    this.domains.push(domain);
    return domain;
  }

  /** Actions since the last question, and what each is about: `AddDomainRecord www A`. */
  takeActions(): readonly string[] {
    return this.#actions.splice(0);
  }

  readonly #actions: string[] = [];

  protected answer(call: FakeCall): FakeAnswer {
    const rpc = rpcParameters(call.url.searchParams, call.body);
    const query = rpc === null ? call.url.searchParams : withoutCommon(rpc);
    const action = String(rpc?.get("Action") ?? call.headers["x-acs-action"] ?? "");
    const about = ["SubDomain", "RR", "Type", "PageNumber"].flatMap(
      (name) => query.get(name) ?? [],
    );
    this.#actions.push([action, ...about].join(" "));
    try {
      if (rpc === null) this.#authenticate(call);
      else this.#authenticateRpc(call.method, rpc);
      const input = inputOf(action, query);
      const body = { RequestId: REQUEST_ID, ...this.#act(action, input) };
      return { status: 200, body: this.disguise(action, body) };
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      return { status: error.status, body: JSON.parse(errorBody(error.code, error.message)) };
    }
  }

  /** Docs "V3 request structure and signature". */
  #authenticate({ method, url, headers, body }: FakeCall): void {
    const text = String(headers["authorization"] ?? "");
    const [, id, names = "", signature] =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=(\w+)$/.exec(text) ??
      [];
    if (id === undefined)
      throw new FakeRefusal("IncompleteSignature", "The request signature does not conform.");
    this.#identify(id, headers["x-acs-security-token"] ?? null);
    const hash = (data: string): string => createHash("sha256").update(data).digest("hex");
    const lines = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const query = canonicalQuery(url.searchParams);
    const payload = String(headers["x-acs-content-sha256"]);
    const canonical = [method, url.pathname, query, lines.join(""), names, payload].join("\n");
    const toSign = `ACS3-HMAC-SHA256\n${hash(canonical)}`;
    const wanted = createHmac("sha256", this.key.secret).update(toSign).digest("hex");
    if (payload !== hash(body) || signature !== wanted) throw mismatch(toSign);
  }

  #authenticateRpc(method: string, parameters: URLSearchParams): void {
    if (parameters.get("Format") !== "JSON") throw new Error("answers are JSON here");
    this.#identify(parameters.get("AccessKeyId") ?? "", parameters.get("SecurityToken"));
    const toSign = rpcStringToSign(method, parameters);
    if (parameters.get("Signature") !== rpcSignature(this.key.secret, toSign))
      throw mismatch(toSign);
  }

  /** Texts of "Common error codes". */
  #identify(id: string, token: unknown): void {
    if (id !== this.key.id)
      throw new FakeRefusal(
        "InvalidAccessKeyId.NotFound",
        "Specified access key is not found.",
        404,
      );
    if (token !== this.securityToken)
      throw new FakeRefusal("InvalidSecurityToken.Expired", "Specified SecurityToken is expired.");
  }

  #act(action: string, input: Input): Readonly<Record<string, unknown>> {
    if (action === "DescribeDomains") {
      const all = this.domains.map(domainView);
      return page({ outer: "Domains", inner: "Domain", all, input, sizeMax: 100 });
    }
    if (action === "UpdateDomainRecord" || action === "DeleteDomainRecord")
      return this.#write(action, input);
    const domain = this.#domain(input);
    if (action === "DescribeDomainInfo") return infoView(domain);
    if (action === "AddDomainRecord") return { RecordId: domain.add(input).RecordId };
    const host = hostOf(input, domain);
    const all = (host === null ? domain.records : domain.at(host)).map((one) =>
      recordView(one, domain),
    );
    const sizeMax = host === null ? 500 : 100;
    const answer = page({ outer: "DomainRecords", inner: "Record", all, input, sizeMax });
    this.afterPage();
    return answer;
  }

  #write(action: string, input: Input): Readonly<Record<string, unknown>> {
    const id = input["RecordId"] ?? "";
    const domain = this.domains.find(({ records }) => records.some((one) => one.RecordId === id));
    if (domain !== undefined) this.#refuseForbidden(domain);
    const at = domain ?? new FakeDomain("", "");
    const { RecordId } = action === "UpdateDomainRecord" ? at.update(id, input) : at.remove(id);
    return { RecordId };
  }

  #domain({ DomainName: name = "" }: Input): FakeDomain {
    const domain = this.domains.find((one) => one.name === name.toLowerCase());
    if (domain === undefined)
      throw new FakeRefusal(
        "InvalidDomainName.NoExist",
        "The specified domain name does not exist. Refresh the page and try again.",
      );
    this.#refuseForbidden(domain);
    return domain;
  }

  #refuseForbidden({ name }: FakeDomain): void {
    if (this.forbidden.has(name))
      throw new FakeRefusal(
        "Forbidden.RAM",
        "User not authorized to operate on the specified resource, or this API doesn't support RAM.",
        403,
      );
  }
}

function mismatch(toSign: string): FakeRefusal {
  const text = "Specified signature does not match our calculation. server string to sign is:";
  return new FakeRefusal("SignatureDoesNotMatch", `${text}${toSign}`);
}

function inputOf(action: string, query: URLSearchParams): Input {
  const known = ACTIONS[action];
  if (known === undefined)
    throw new FakeRefusal("InvalidAction.NotFound", "Specified api is not found.", 404);
  const input = Object.fromEntries(query);
  const other = Object.keys(input).find((name) => !known.includes(name) && !COMMON.includes(name));
  if (other !== undefined) throw new Error(`${action} has no parameter ${other}`);
  return input;
}

/** Null = all hosts. "DescribeSubDomainRecords": with a DomainName, what stands before it. */
function hostOf({ SubDomain: full }: Input, { name }: FakeDomain): string | null {
  if (full === undefined) return null;
  if (full === name) return "@";
  if (full.endsWith(`.${name}`)) return full.slice(0, -name.length - 1);
  throw new FakeRefusal("SubDomainInvalid.Format", "The format of SubDomain is invalid.");
}

interface Paged {
  readonly outer: string;
  readonly inner: string;
  readonly all: readonly unknown[];
  readonly input: Input;
  readonly sizeMax: number;
}

function page({ outer, inner, all, input, sizeMax }: Paged): Readonly<Record<string, unknown>> {
  const number = Number(input["PageNumber"] ?? 1);
  const size = Number(input["PageSize"] ?? 20);
  if (!(size >= 1 && size <= sizeMax))
    throw new FakeRefusal("InvalidPageSize", `The page size must be from 1 to ${sizeMax}.`);
  const items = all.slice((number - 1) * size, number * size);
  return {
    TotalCount: all.length,
    PageNumber: number,
    PageSize: size,
    [outer]: { [inner]: items },
  };
}

function domainView(domain: FakeDomain): unknown {
  const { id, name, versionCode, nameServers, records } = domain;
  return {
    DomainId: id,
    DomainName: name,
    PunyCode: name,
    AliDomain: true,
    VersionCode: versionCode,
    VersionName: "Alibaba Cloud DNS",
    DnsServers: { DnsServer: nameServers },
    RecordCount: records.length,
    InstanceExpired: false,
    CreateTimestamp: 1_763_856_000_000,
  };
}

function infoView({ id, name, versionCode, nameServers, minTtl }: FakeDomain) {
  return {
    DomainId: id,
    DomainName: name,
    PunyCode: name,
    VersionCode: versionCode,
    MinTtl: minTtl,
    DnsServers: { DnsServer: nameServers },
    AvailableTtls: { AvailableTtl: ["600", "1800", "3600", "43200", "86400"] },
    RecordLines: { RecordLine: [{ LineCode: "default", LineName: "default" }] },
    LineType: "region_province",
    SubDomain: false,
    InBlackHole: false,
    InClean: false,
  };
}

function recordView(record: FakeRecord, { name }: FakeDomain): unknown {
  const times = { CreateTimestamp: 1_763_856_000_000, UpdateTimestamp: 1_763_856_000_000 };
  return { DomainName: name, Status: "ENABLE", Locked: false, Weight: 1, ...record, ...times };
}
