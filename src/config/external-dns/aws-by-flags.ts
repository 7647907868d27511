/** The account of Route 53 that flags and environment of external-dns describe. Pure. */
import { ok } from "@zonekeeper/base/result";
import { given, type Make, type ProviderInput } from "./provider-input.ts";

/**
 * An access key of the environment, or of the file that it names, else the chain of the SDK (roles
 * of Pods and machines). The endpoints are those of all SDKs (AWS SDKs and Tools guide,
 * "Service-specific endpoints").
 */
export function aws(input: ProviderInput): ReturnType<Make> {
  const { text, environment } = input;
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  const key = AWS_ACCESS_KEY_ID
    ? given({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN })
    : sharedKey(input);
  const role = text("aws-assume-role");
  const endpointOf = (service: string): string | undefined =>
    environment[`AWS_ENDPOINT_URL_${service}`] ?? environment["AWS_ENDPOINT_URL"];
  return ok({
    type: "aws-route53",
    secret: {
      ...(key["AWS_ACCESS_KEY_ID"] ? key : { AWS_USE_CREDENTIALS_CHAIN: "true" }),
      ...given({
        AWS_REGION: environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"],
        AWS_ROLE_ARN: role,
        AWS_EXTERNAL_ID: text("aws-assume-role-external-id"),
      }),
    },
    config: given({
      zoneType: text("aws-zone-type"),
      endpoint: endpointOf("ROUTE_53"),
      stsEndpoint: endpointOf("STS"),
    }),
  });
}

/**
 * The key in the profile of a credentials file (AWS SDKs and Tools guide, "Shared config and
 * credentials files"); empty = it has none, or says how to get one.
 */
function sharedKey({ environment, readFile }: ProviderInput): Readonly<Record<string, string>> {
  const file = readFile(environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "") ?? "";
  const profile = environment["AWS_PROFILE"] || "default";
  const sections = file.split(/^\s*\[/m).slice(1);
  const own = sections.find((one) => one.slice(0, one.indexOf("]")).trim() === profile) ?? "";
  const of = (name: string): string | undefined =>
    new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)`, "im").exec(own)?.[1];
  return given({
    AWS_ACCESS_KEY_ID: of("aws_access_key_id"),
    AWS_SECRET_ACCESS_KEY: of("aws_secret_access_key"),
    AWS_SESSION_TOKEN: of("aws_session_token"),
  });
}
