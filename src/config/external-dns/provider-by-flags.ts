/**
 * The account that flags and environment of an external-dns describe: the type, the Secret and the
 * `providerConfig` that a DNSProvider for it would have. Credentials are looked for where
 * external-dns looks for them. Pure; files are read by who calls.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { ROOT_ZONE } from "@zonekeeper/dns/names/dns-name";
import { textOf } from "@zonekeeper/kube/objects/object-fields";
import { parseYamlFile } from "@zonekeeper/kube/yaml/yaml-file";
import type { Problem } from "../../model/problem.ts";
import { aws } from "./aws-by-flags.ts";
import {
  given,
  jsonOf,
  type Make,
  type ProviderByFlags,
  type ProviderInput,
  problem,
  readFiles,
} from "./provider-input.ts";
import { rfc2136 } from "./rfc2136-by-flags.ts";

/** By the name that external-dns has for it. */
const PROVIDERS: Readonly<Record<string, Make>> = {
  aws,
  cloudflare,
  google,
  azure: (input) => azure(input, "azure-dns"),
  "azure-dns": (input) => azure(input, "azure-dns"),
  "azure-private-dns": (input) => azure(input, "azure-private-dns"),
  rfc2136,
  pdns,
  pihole,
  coredns,
  skydns: coredns,
  webhook,
  alibabacloud,
  designate,
  infoblox,
};

const refuse = (flag: string, message: string): ReturnType<Make> => fail([problem(flag, message)]);

/** Whose flags count with a `--provider`. */
export function flagsOf(provider: string): string {
  if (provider.startsWith("azure")) return "azure";
  return provider === "skydns" ? "coredns" : provider;
}

/** Fails with everything that is missing. */
export function providerByFlags(
  provider: string,
  input: ProviderInput,
): Result<ProviderByFlags, readonly Problem[]> {
  const make = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (make !== undefined) return make(input);
  if (provider === "inmemory")
    return fail([
      problem("--provider", "inmemory is not here; zonekeeper dev has a name server to try out"),
    ]);
  const message = `${JSON.stringify(provider)} is not here; let external-dns serve it with --webhook-server --provider=${provider}, and give --provider=webhook --webhook-provider-url=ADDRESS. Here are ${Object.keys(PROVIDERS).join(", ")}`;
  return refuse("--provider", message);
}

/** `CF_API_TOKEN` may name a file, as `file:/path`. */
function cloudflare({ environment, readFile }: ProviderInput): ReturnType<Make> {
  const { CF_API_TOKEN: token = "", CF_API_KEY: key, CF_API_EMAIL: email } = environment;
  const path = /^file:(.+)$/.exec(token)?.[1];
  const value = path === undefined ? token : readFile(path)?.trim();
  if (value === undefined)
    return refuse("CF_API_TOKEN", `names the file ${path}, which cannot be read`);
  if (value === "" && !(key && email))
    return refuse(
      "--provider",
      "cloudflare needs CF_API_TOKEN in the environment, or CF_API_KEY and CF_API_EMAIL",
    );
  const secret =
    value === ""
      ? given({ CLOUDFLARE_API_KEY: key, CLOUDFLARE_EMAIL: email })
      : { CLOUDFLARE_API_TOKEN: value };
  return ok({ type: "cloudflare-dns", secret, config: {} });
}

/** A key file of the environment, else the identity of the process. */
function google({ text, environment, readFile }: ProviderInput): ReturnType<Make> {
  const path = environment["GOOGLE_APPLICATION_CREDENTIALS"] ?? "";
  const file = path === "" ? null : readFile(path);
  if (path !== "" && file === null)
    return refuse("GOOGLE_APPLICATION_CREDENTIALS", `names the file ${path}, which cannot be read`);
  const isKey = /"type"\s*:\s*"service_account"/.test(file ?? "");
  const project = text("google-project") || environment["GOOGLE_CLOUD_PROJECT"];
  return ok({
    type: "google-clouddns",
    secret: {
      ...(isKey
        ? { "serviceaccount.json": file ?? "" }
        : { GOOGLE_USE_DEFAULT_CREDENTIALS: "true" }),
      ...given({ GOOGLE_PROJECT: project }),
    },
    config: given({ zoneType: text("google-zone-visibility") }),
  });
}

const AZURE_FILE = "/etc/kubernetes/azure.json";
const AZURE_CLOUDS: Readonly<Record<string, string>> = {
  AZUREPUBLICCLOUD: "AzurePublic",
  AZURECLOUD: "AzurePublic",
  AZURECHINACLOUD: "AzureChina",
  AZUREUSGOVERNMENTCLOUD: "AzureGovernment",
};

/** `provider/azure/config.go` @v0.22. Without a file the environment says it. */
function azure({ text, environment, readFile }: ProviderInput, type: string): ReturnType<Make> {
  const path = text("azure-config-file") || AZURE_FILE;
  const file = readFile(path);
  if (file === null && text("azure-config-file") !== "")
    return refuse("--azure-config-file", `${path} cannot be read`);
  const read = jsonOf(file ?? "{}");
  if (read === null) return refuse("--azure-config-file", `${path} is no JSON object`);
  const subscription =
    text("azure-subscription-id") ||
    textOf(read["subscriptionId"]) ||
    environment["AZURE_SUBSCRIPTION_ID"];
  if (!subscription)
    return fail([
      problem("--azure-subscription-id", `is missing, and ${path} names none; write one`),
    ]);
  const clientSecret = textOf(read["aadClientSecret"]);
  const client =
    text("azure-user-assigned-identity-client-id") ||
    textOf(read["userAssignedIdentityID"]) ||
    environment["AZURE_CLIENT_ID"];
  const cloud = (textOf(read["cloud"]) ?? "").toUpperCase();
  const group = text("azure-resource-group") || textOf(read["resourceGroup"]);
  return ok({
    type,
    secret: given({
      AZURE_SUBSCRIPTION_ID: subscription,
      AZURE_CLOUD: AZURE_CLOUDS[cloud],
      ...(clientSecret === null
        ? { AZURE_USE_DEFAULT_CREDENTIALS: "true", AZURE_CLIENT_ID: client }
        : {
            AZURE_TENANT_ID: textOf(read["tenantId"]),
            AZURE_CLIENT_ID: textOf(read["aadClientId"]),
            AZURE_CLIENT_SECRET: clientSecret,
          }),
    }),
    config: given({ resourceGroup: group }),
  });
}

function pdns(input: ProviderInput): ReturnType<Make> {
  const { text } = input;
  const problems: Problem[] = [];
  if (text("pdns-api-key") === "")
    problems.push(problem("--pdns-api-key", "is missing; write the api-key of pdns.conf"));
  const usesTls = /^https:/i.test(text("pdns-server"));
  // Certificates for an address without TLS are a mistake where a flag names them.
  const asking = usesTls ? input : { ...input, environment: {} };
  const texts = readFiles(asking, { TrustedCaCert: "tls-ca" }, problems);
  if (problems.length > 0) return fail(problems);
  return ok({
    type: "powerdns",
    secret: {
      Server: text("pdns-server") || "http://localhost:8081",
      ...given({ ApiKey: text("pdns-api-key"), VirtualHost: text("pdns-server-id") }),
      ...texts,
    },
    config: {},
  });
}

/** Back ends that have no zones of their own serve all names that no filter keeps out. */
function domainsOrAll({ list }: ProviderInput): readonly string[] {
  const domains = list("domain-filter");
  return domains.length === 0 ? [ROOT_ZONE] : domains;
}

/** It has no zones of its own, and no TXT records for markers. */
function pihole(input: ProviderInput): ReturnType<Make> {
  const { text } = input;
  const problems: Problem[] = [];
  if (text("pihole-server") === "")
    problems.push(problem("--pihole-server", "is missing; write the address of Pi-hole"));
  if (text("registry") === "" || text("registry") === "txt")
    problems.push(
      problem(
        "--registry",
        "is txt, and Pi-hole has no TXT records; give noop, which creates records and changes none outside of --noop-owns=DOMAIN, or configmap, which keeps owners in ConfigMaps",
      ),
    );
  const texts = readFiles(input, { TrustedCaCert: "tls-ca" }, problems);
  if (problems.length > 0) return fail(problems);
  const secret = given({ Server: text("pihole-server"), Password: text("pihole-password") });
  return ok({
    type: "pihole",
    secret: { ...secret, ...texts },
    config: { zones: domainsOrAll(input) },
  });
}

/** `provider/coredns/coredns.go` @v0.22: etcd by its variables. */
function coredns(input: ProviderInput): ReturnType<Make> {
  const { text, environment } = input;
  const { ETCD_URLS = "http://localhost:2379", ETCD_USERNAME, ETCD_PASSWORD } = environment;
  return ok({
    type: "coredns-etcd",
    secret: given({
      Server: ETCD_URLS,
      Username: ETCD_USERNAME,
      Password: ETCD_PASSWORD,
      TrustedCaCert: fileIn(input, "ETCD_CA_FILE"),
      ClientCert: fileIn(input, "ETCD_CERT_FILE"),
      ClientKey: fileIn(input, "ETCD_KEY_FILE"),
    }),
    config: { zones: domainsOrAll(input), ...given({ prefix: text("coredns-prefix") }) },
  });
}

/** Of a file that a variable names. */
function fileIn({ environment, readFile }: ProviderInput, name: string): string | null {
  return environment[name] ? readFile(environment[name]) : null;
}

/** `provider/designate/designate.go` @v0.16, the last version that had it: an openrc file. */
function designate(input: ProviderInput): ReturnType<Make> {
  const { environment } = input;
  const { OS_PROJECT_NAME, OS_PROJECT_ID, OPENSTACK_TLS_INSECURE } = environment;
  if (!environment["OS_AUTH_URL"])
    return refuse("--provider", "designate needs OS_AUTH_URL in the environment");
  // The former words for a project count first there.
  const named = {
    ...environment,
    OS_PROJECT_NAME: environment["OS_TENANT_NAME"] || OS_PROJECT_NAME,
    OS_PROJECT_ID: environment["OS_TENANT_ID"] || OS_PROJECT_ID,
  };
  return ok({
    type: "openstack-designate",
    secret: given({
      ...Object.fromEntries(Object.entries(named).filter(([key]) => OPENRC.test(key))),
      INSECURE: OPENSTACK_TLS_INSECURE,
      CACERT: fileIn(input, "OPENSTACK_CA_FILE"),
      CLIENTCERT: fileIn(input, "OPENSTACK_CERT_FILE"),
      CLIENTKEY: fileIn(input, "OPENSTACK_KEY_FILE"),
    }),
    config: {},
  });
}

const OPENRC =
  /^OS_(?:AUTH_URL|USERNAME|PASSWORD|REGION_NAME|INTERFACE|(?:(?:USER_|PROJECT_)?DOMAIN|PROJECT)_(?:NAME|ID)|APPLICATION_CREDENTIAL_(?:NAME|ID|SECRET))$/;

function infoblox(input: ProviderInput): ReturnType<Make> {
  const { text } = input;
  const problems = ["infoblox-grid-host", "infoblox-wapi-password"]
    .filter((flag) => text(flag) === "")
    .map((flag) => problem(`--${flag}`, "is missing; write it"));
  const files = readFiles(input, { CA_CERT: "tls-ca" }, problems);
  if (problems.length > 0) return fail(problems);
  return ok({
    type: "infoblox-dns",
    secret: {
      HOST: text("infoblox-grid-host"),
      USERNAME: text("infoblox-wapi-username") || "admin",
      PASSWORD: text("infoblox-wapi-password"),
      VERSION: text("infoblox-wapi-version") || "2.3.1",
      ...given({
        PORT: text("infoblox-wapi-port"),
        VIEW: text("infoblox-view"),
        MAX_RESULTS: text("infoblox-max-results").replace(/^-|^0$/, ""),
      }),
      ...files,
    },
    config: {},
  });
}

function webhook(input: ProviderInput): ReturnType<Make> {
  const { text } = input;
  const problems: Problem[] = [];
  const texts = readFiles(input, { TrustedCaCert: "tls-ca" }, problems);
  if (problems.length > 0) return fail(problems);
  return ok({
    type: "external-dns-webhook",
    secret: { Server: text("webhook-provider-url") || "http://localhost:8888", ...texts },
    config: { zones: domainsOrAll(input) },
  });
}

const ALIBABA_FILE = "/etc/kubernetes/alibaba-cloud.json";

/** Without a file, as charts give the flag with no value, it is the identity of the Pod. */
function alibabacloud({ text, readFile }: ProviderInput): ReturnType<Make> {
  const path = text("alibaba-cloud-config-file") || ALIBABA_FILE;
  const file = readFile(path);
  const secret = { USE_DEFAULT_CREDENTIALS: "true" };
  if (file === null && text("alibaba-cloud-config-file") === "")
    return ok({ type: "alicloud-dns", secret, config: {} });
  const { document, faults } = parseYamlFile(file ?? "");
  if (file === null || faults.length > 0)
    return refuse("--alibaba-cloud-config-file", `${path} cannot be read as YAML or JSON`);
  const read = (key: string): string | null => textOf(document.get(key));
  return ok({
    type: "alicloud-dns",
    secret: given({
      ACCESS_KEY_ID: read("accessKeyId"),
      ACCESS_KEY_SECRET: read("accessKeySecret"),
      SECURITY_TOKEN: read("stsToken"),
    }),
    config: {},
  });
}
