/**
 * A fake of AWS STS over HTTP: AssumeRole and AssumeRoleWithWebIdentity for one role (API version
 * 2011-06-15), and the agent of EKS Pod Identity. Each answer has a key of its own.
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";
import { escapeXml, xml } from "./xml.ts";

const NAMESPACE = ' xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';

/** A running fake. */
export class FakeSts extends FakeApi {
  readonly roleArn: string;
  /** Null = the role asks for none. */
  externalId: string | null = null;
  /** The token of a service account, or of a pod. */
  token = "token-of-a-service-account";
  /** Seconds that credentials live. */
  lifeSeconds = 3600;
  /** Access keys of those who assumed the role, or how they proved themselves. */
  readonly callers: string[] = [];

  constructor(roleArn: string) {
    super();
    this.roleArn = roleArn;
  }

  /** Of the n-th answer. */
  keyOf(answer: number): string {
    return `ASIATEMPORARYKEY${String(answer).padStart(4, "0")}`;
  }

  protected answer({ url, headers, body }: FakeCall): FakeAnswer {
    const { authorization = "" } = headers;
    if (url.pathname === "/v1/credentials") return this.#ofPod(authorization);
    const form = new URLSearchParams(body);
    if (form.get("RoleArn") !== this.roleArn || (form.get("RoleSessionName") ?? "") === "")
      return refusal(400, "ValidationError", "1 validation error detected");
    if (form.get("Action") === "AssumeRoleWithWebIdentity") {
      if (form.get("WebIdentityToken") !== this.token)
        return refusal(400, "InvalidIdentityToken", "Couldn't retrieve verification key");
      return this.#granted("AssumeRoleWithWebIdentity", "web identity");
    }
    const caller = /Credential=([A-Z0-9]+)\/\d{8}\/[a-z0-9-]+\/sts\/aws4_request/.exec(
      authorization,
    );
    if (caller?.[1] === undefined || form.get("ExternalId") !== this.externalId)
      return refusal(
        403,
        "AccessDenied",
        `User: arn:aws:iam::111122223333:user/u is not authorized to perform: sts:AssumeRole on resource: ${this.roleArn}`,
      );
    return this.#granted("AssumeRole", caller[1]);
  }

  #granted(action: string, caller: string): FakeAnswer {
    const { accessKeyId, end } = this.#made(caller);
    const credentials = [
      xml("AccessKeyId", accessKeyId),
      xml("SecretAccessKey", "temporary/secret+key"),
      xml("SessionToken", "FwoGZXIvYXdzE=="),
      xml("Expiration", end),
    ];
    const user = xml("Arn", `${this.roleArn}/zonekeeper`) + xml("AssumedRoleId", "AROA:zonekeeper");
    const result = xml("Credentials", credentials.join("")) + xml("AssumedRoleUser", user);
    const text = `<${action}Response${NAMESPACE}>${xml(`${action}Result`, result)}</${action}Response>`;
    return { status: 200, text, headers: { "content-type": "text/xml" } };
  }

  /** EKS User Guide, "How EKS Pod Identity works". */
  #ofPod(authorization: string): FakeAnswer {
    if (authorization !== this.token) return { status: 401, body: { message: "no" } };
    const { accessKeyId, end } = this.#made("pod");
    const secrets = { SecretAccessKey: "temporary/secret+key", Token: "FwoGZXIvYXdzE==" };
    return { status: 200, body: { AccessKeyId: accessKeyId, ...secrets, Expiration: end } };
  }

  #made(caller: string): { readonly accessKeyId: string; readonly end: string } {
    this.callers.push(caller);
    const end = new Date(Date.now() + this.lifeSeconds * 1000).toISOString();
    return { accessKeyId: this.keyOf(this.callers.length), end };
  }
}

function refusal(status: number, code: string, message: string): FakeAnswer {
  const error = xml("Type", "Sender") + xml("Code", code) + xml("Message", escapeXml(message));
  const id = xml("RequestId", "c6104cbe-af31-11e0-8154-cbc7ccf896c7");
  const text = `<ErrorResponse${NAMESPACE}>${xml("Error", error)}${id}</ErrorResponse>`;
  return { status, text, headers: { "content-type": "text/xml" } };
}
