/**
 * A fake of Alibaba Cloud's STS: AssumeRoleWithOIDC for one role (API version 2015-04-01; RRSA of
 * ACK).
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

/** A running fake. */
export class FakeRamSts extends FakeApi {
  /** What a call must say. */
  accepts = { RoleArn: "", OIDCProviderArn: "", OIDCToken: "" };
  /** What it gives. */
  readonly grants = {
    id: "STS.temporaryKey",
    secret: "temporarySecret",
    securityToken: "CAISrole",
  };

  protected answer({ url, body }: FakeCall): FakeAnswer {
    const form = new URLSearchParams(body);
    const isGood = Object.entries(this.accepts).every(([key, value]) => form.get(key) === value);
    if (url.searchParams.get("Action") !== "AssumeRoleWithOIDC")
      return refusal(404, "InvalidAction.NotFound", "Specified api is not found.");
    if (!isGood)
      return refusal(400, "AuthenticationFail.OIDCToken.Invalid", `not ${form.get("OIDCToken")}`);
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    const { id: AccessKeyId, secret: AccessKeySecret, securityToken: SecurityToken } = this.grants;
    const Credentials = { AccessKeyId, AccessKeySecret, SecurityToken, Expiration };
    return { status: 200, body: { RequestId: "7A3F", Credentials } };
  }
}

function refusal(status: number, Code: string, Message: string): FakeAnswer {
  return { status, body: { RequestId: "7A3F", HostId: "sts", Code, Message } };
}
