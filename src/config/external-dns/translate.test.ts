/** Command lines of external-dns: each one starts, or names all that is wrong with it at once. */
import { expect, test } from "vitest";
import { fromExternalDns } from "./translate.ts";

const SOURCES = [
  ...["service", "ingress", "crd", "gateway-httproute", "gateway-tlsroute"],
  ...["istio-gateway", "istio-virtualservice", "traefik-proxy"],
];
const FILES: Readonly<Record<string, string>> = {
  "/etc/kubernetes/azure.json": '{"subscriptionId":"s","tenantId":"t","resourceGroup":"rg"}',
  "/alibaba.json": '{"accessKeyId":"id","accessKeySecret":"key"}',
  "/alibaba.yaml": "regionId: cn-hangzhou\naccessKeyId: id\naccessKeySecret: key\n",
  "/.aws/credentials":
    "[default]\naws_access_key_id = one\naws_secret_access_key=1=\n\n[other]\nAWS_ACCESS_KEY_ID=two\naws_secret_access_key = 2\naws_session_token = t\n[by-role]\nrole_arn = arn:x\n",
  "/ca.pem": "ca",
  "/other.pem": "other",
};

/** As a shell would split it. */
function argumentsIn(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function translate(line: string, environment: Readonly<Record<string, string>> = {}) {
  const read = fromExternalDns({
    args: argumentsIn(line),
    environment,
    ownNames: new Set(["data", "lease-name", "owner"]),
    readFile: (path) => FILES[path] ?? null,
    sources: SOURCES,
  });
  return read.ok
    ? { ...read.value, problems: [] }
    : { args: [], remarks: [], config: null, problems: read.error.map(problemText) };
}

const problemText = ({
  subject,
  message,
}: {
  readonly subject: string;
  readonly message: string;
}) => `${subject} ${message}`;

const RFC2136 =
  "--provider=rfc2136 --rfc2136-host=192.0.2.1 --rfc2136-zone=example.org --rfc2136-insecure";

test("options of the same meaning, and what is assumed", () => {
  const { args, remarks, config } = translate(
    `${RFC2136} --txt-owner-id=default --source=service --source=ingress --source=service --domain-filter=example.org --registry=txt --interval=1m --events --log-level=warning --metrics-address=127.0.0.1:7980 --data ./d`,
  );
  expect(args).toEqual([
    "--owner=default",
    "--policy=upsert-only",
    "--controllers=compound,service,ingress",
    "--registry=txt",
    "--log-level=warn",
    "--http-address=127.0.0.1",
    "--http-port=7980",
    "--disable-namespace-restriction=true",
    "--provider-trusted-namespaces=*",
    "--kubeconfig.disable-deploy-crds=true",
    "--data",
    "./d",
  ]);
  expect(remarks).toEqual([
    "--policy is not given: upsert-only, so that nothing is removed; external-dns took sync up to v0.21",
    expect.stringMatching(
      /^the owner id is default, which every external-dns .* waits for approval/,
    ),
    "--interval, --events: no effect here: changes are watched and published at once",
  ]);
  expect(config).toMatchObject({
    provider: {
      type: "rfc2136",
      secret: { Server: "192.0.2.1" },
      config: { zones: ["example.org"], allowUnsigned: true },
    },
    rules: { scope: { include: ["example.org"], exclude: [] } },
  });
});

test("an owner id that is not given is that of everybody, and told", () => {
  const assumed = translate(`${RFC2136} --source=service`);
  expect(assumed.args).toContain("--owner=default");
  expect(assumed.remarks).toEqual([
    expect.stringContaining("--policy is not given"),
    expect.stringMatching(/^--txt-owner-id is not given: the owner id is default.*never removed/),
  ]);
  const own = translate(`${RFC2136} --source=service --policy=sync --owner mine`);
  expect([own.args.filter((one) => one.startsWith("--owner")), own.remarks]).toEqual([
    ["--owner"],
    [],
  ]);
});

test("all that is refused, unknown or missing is told at once, each with its remedy", () => {
  const { problems } = translate(
    "--provider=ns1 --source=connector --source=service --fqdn-template={{.Name --regex-domain-filter=( --compatibility=mate --ttl-of=3 --policy=all --dry-run=perhaps --aws-zone-tags=a=b",
  );
  expect(problems).toEqual([
    "--ttl-of is a flag of no version of external-dns, and none of this program",
    '--policy "all" is none of sync, upsert-only, create-only',
    '--dry-run "perhaps" is neither true nor false',
    expect.stringMatching(/^--compatibility has no equivalent here.*annotate the objects/),
    expect.stringMatching(/^--source "connector" is not here; keep an external-dns/),
    expect.stringMatching(/^--provider "ns1" is not here; let external-dns serve it/),
    expect.stringMatching(/^--fqdn-template "{{.Name" cannot be read: .*has no "}}"/),
    expect.stringMatching(/^--regex-domain-filter is no regular expression of RE2: /),
  ]);
});

test("a provider for trying out is dev's", () => {
  expect(translate("--provider=inmemory --source=service").problems).toEqual([
    "--provider inmemory is not here; zonekeeper dev has a name server to try out",
  ]);
});

test.each([
  ["--default-targets=a..b", /^--default-targets "a\.\.b" is neither an address nor a host name/],
  [
    "--domain-filter=*.example.org",
    /^--domain-filter "\*\.example\.org" is not a domain: write example\.org, which has all names/,
  ],
  ["--force-default-targets", /^--force-default-targets needs --default-targets$/],
  ["--ignore-hostname-annotation", /^--ignore-hostname-annotation needs --fqdn-template/],
  [
    `--regex-domain-exclusion=${"(a{100}){100}".repeat(3)}`,
    /^--regex-domain-exclusion is (?:too large an expression|no regular expression of RE2)/,
  ],
] as const)("%s is wrong", (flag, message) => {
  const { problems } = translate(`${RFC2136} --txt-owner-id=me --source=service ${flag}`);
  expect(problems).toEqual([expect.stringMatching(message)]);
});

test.each([
  ['--txt-owner-id="aks"', /^--txt-owner-id has quotes inside of the argument/],
  ["--managed-record-types=A,TXT", /^--managed-record-types "A,TXT" is no record type; write/],
  ["--exclude-record-types=aaaa", /^--exclude-record-types "aaaa" is no record type; write/],
  ["--rfc2136-gss-tsig --no-rfc2136-insecure", /^--rfc2136-gss-tsig has .*give a TSIG key/],
  ["--rfc2136-skip-tls-verify --rfc2136-use-tls", /^--rfc2136-skip-tls-verify .*--tls-ca/],
])("%s: one mistake is one problem", (flags, message) => {
  const line = flags.includes("insecure") ? RFC2136.replace("--rfc2136-insecure", "") : RFC2136;
  expect(translate(`${line} --source=service ${flags}`).problems).toEqual([
    expect.stringMatching(message),
  ]);
});

test.each([
  `${RFC2136} --rfc2136-skip-tls-verify`,
  "--provider=pihole --pihole-server=http://192.0.2.1 --pihole-tls-skip-verify --registry=noop",
  "--provider=pdns --pdns-server=http://192.0.2.1 --pdns-skip-tls-verify --pdns-api-key=k",
])("no certificate is looked at without TLS: %s", (line) => {
  expect(translate(`${line} --source=service`).problems).toEqual([]);
});

const FORMER = "external-dns.alpha.kubernetes.io/";

test.each([
  ["", ["external-dns.kubernetes.io/", FORMER]],
  ["--annotation-prefix=x.example/", ["x.example/"]],
  ["--annotation-prefix=x.example/ --enable-legacy-annotation-prefix", ["x.example/", FORMER]],
  [`--annotation-prefix=${FORMER} --enable-legacy-annotation-prefix`, [FORMER]],
])("prefixes of annotations with %s", (flags, prefixes) => {
  const { config } = translate(`${RFC2136} --source=service ${flags}`);
  expect(config?.rules.prefixes).toEqual(prefixes);
});

test.each([
  ["--rfc2136-min-ttl=300s", "300", 300, null],
  ["--rfc2136-min-ttl=300s --min-ttl=1h", "3600", 300, 3600],
  ["--rfc2136-min-ttl=0s", undefined, 0, null],
])("TTLs with %s", (flags, ttl, leastTtlSeconds, minTtlSeconds) => {
  const { args, config } = translate(`${RFC2136} --source=service ${flags}`);
  expect(args.find((one) => one.startsWith("--ttl="))).toBe(ttl && `--ttl=${ttl}`);
  expect(config?.rules).toMatchObject({ leastTtlSeconds, minTtlSeconds });
});

test("default targets that are not forced are remarked on", () => {
  const remarksOf = (more: string) =>
    translate(
      `${RFC2136} --txt-owner-id=me --policy=sync --source=crd --default-targets=192.0.2.1 ${more}`,
    ).remarks;
  expect(remarksOf("")).toEqual([
    expect.stringMatching(/^--default-targets are those of DNSEndpoints/),
  ]);
  expect(remarksOf("--force-default-targets")).toEqual([]);
});

test("flag over environment, $(NAME) from the environment, --no-x, empty values", () => {
  const environment = {
    EXTERNAL_DNS_TXT_OWNER_ID: "env",
    EXTERNAL_DNS_SOURCE: "service\ncrd",
    EXTERNAL_DNS_POLICY: "sync",
    OWNER: "given",
    KEY: "c2VjcmV0",
  };
  const given = translate(
    "--provider=rfc2136 --rfc2136-host 192.0.2.1 --rfc2136-port=5300 --rfc2136-zone=example.org --no-rfc2136-insecure --rfc2136-tsig-keyname=k --rfc2136-tsig-secret=$(KEY) --rfc2136-tsig-secret-alg=hmac-sha512 --txt-owner-id=$(OWNER) --aws-zone-type= --txt-prefix=x-$$(OWNER)",
    environment,
  );
  expect(given.problems).toEqual([]);
  expect(given.args.slice(0, 4)).toEqual([
    "--owner=given",
    "--policy=sync",
    "--controllers=compound,service,crd",
    "--txt-prefix=x-$(OWNER)",
  ]);
  expect(given.config?.provider.secret).toEqual({
    Server: "192.0.2.1:5300",
    TSIGKeyName: "k",
    TSIGSecret: "c2VjcmV0",
    TSIGSecretAlgorithm: "hmac-sha512",
  });
  expect(
    translate(`${RFC2136} --source=service --txt-owner-id=me --domain-filter=$(NONE)`).problems,
  ).toEqual(["--domain-filter names NONE, which the environment lacks; set it"]);
});

test("without a file of Alibaba Cloud it is the identity of the Pod, as charts write it", () => {
  const line = "--provider=alibabacloud --source=service --txt-owner-id=me";
  expect(translate(`${line} --alibaba-cloud-config-file=`).config?.provider.secret).toEqual({
    USE_DEFAULT_CREDENTIALS: "true",
  });
  expect(translate(`${line} --alibaba-cloud-config-file=/none.json`).problems).toEqual([
    "--alibaba-cloud-config-file /none.json cannot be read as YAML or JSON",
  ]);
  for (const path of ["/alibaba.json", "/alibaba.yaml"])
    expect(
      translate(`${line} --alibaba-cloud-config-file=${path}`).config?.provider.secret,
    ).toEqual({ ACCESS_KEY_ID: "id", ACCESS_KEY_SECRET: "key" });
});

test("the key of a credentials file of AWS, which the environment names", () => {
  const secretOf = (environment: Readonly<Record<string, string>>) =>
    translate("--provider=aws --source=service --txt-owner-id=me", environment).config?.provider
      .secret;
  const file = { AWS_SHARED_CREDENTIALS_FILE: "/.aws/credentials" };
  const first = { AWS_ACCESS_KEY_ID: "one", AWS_SECRET_ACCESS_KEY: "1=" };
  const second = { AWS_ACCESS_KEY_ID: "two", AWS_SECRET_ACCESS_KEY: "2", AWS_SESSION_TOKEN: "t" };
  expect(secretOf(file)).toEqual(first);
  expect(secretOf({ ...file, AWS_PROFILE: "other" })).toEqual(second);
  expect(secretOf({ ...file, ...second })).toEqual(second);
  const chain = { AWS_USE_CREDENTIALS_CHAIN: "true" };
  expect(secretOf({ ...file, AWS_PROFILE: "by-role" })).toEqual(chain);
  expect(secretOf({ AWS_SHARED_CREDENTIALS_FILE: "/none" })).toEqual(chain);
});

test("certificates to trust are those of --tls-ca, else those that programs in Go read", () => {
  const secretOf = (more: string) =>
    translate(`${PIHOLE} --registry=noop ${more}`, {
      SSL_CERT_FILE: "/ca.pem",
    }).config?.provider.secret["TrustedCaCert"];
  expect([secretOf(""), secretOf("--tls-ca=/other.pem")]).toEqual(["ca", "other"]);
  expect(
    translate(`${PIHOLE} --registry=noop`, { SSL_CERT_FILE: "/none" }).config?.provider.secret,
  ).toEqual({ Server: "http://pihole" });
  const pdns = "--provider=pdns --pdns-api-key=k --source=service --txt-owner-id=me";
  expect(translate(pdns, { SSL_CERT_FILE: "/ca.pem" }).config?.provider.secret).not.toHaveProperty(
    "TrustedCaCert",
  );
});

const SAFE = "--log-level=info --log-format=text --interval=1m";
const CLOUDFLARE = { CF_API_TOKEN: "t".repeat(40) };

/** `../shared/reference/deployments.md`, as the containers get them. */
test.each([
  [
    "1 Cloudflare, DNSEndpoints and routes",
    `${SAFE} --events --source=crd --source=gateway-httproute --policy=sync --registry=txt --txt-owner-id=default --txt-prefix=k8s. --domain-filter=example.org --provider=cloudflare --cloudflare-dns-records-per-page=1000 --cloudflare-proxied --crd-source-apiversion=externaldns.k8s.io/v1alpha1 --crd-source-kind=DNSEndpoint --gateway-name=envoy-external`,
    CLOUDFLARE,
    "cloudflare-dns",
  ],
  [
    "2 webhook",
    `${SAFE} --events --source=gateway-httproute --source=service --policy=sync --registry=txt --txt-owner-id=main '--txt-prefix=k8s.main.%{record_type}-' --domain-filter=example.ac --provider=webhook`,
    {},
    "external-dns-webhook",
  ],
  [
    "3 Cloudflare, Ingresses of a class",
    `${SAFE} --source=crd --source=ingress --policy=sync --registry=txt --txt-owner-id=default --txt-prefix=k8s. --domain-filter=example.org --provider=cloudflare --cloudflare-dns-records-per-page=1000 --cloudflare-proxied --crd-source-apiversion=externaldns.k8s.io/v1alpha1 --crd-source-kind=DNSEndpoint --events --ignore-ingress-tls-spec --ingress-class=external`,
    CLOUDFLARE,
    "cloudflare-dns",
  ],
  [
    "4 AWS",
    "--source=service --source=ingress --domain-filter=prod.example.contact --provider=aws --policy=upsert-only --aws-zone-type=public --registry=txt --txt-owner-id=Z0000000EXAMPLE01",
    {},
    "aws-route53",
  ],
  [
    "5 Azure, private",
    `${SAFE} --source=ingress --policy=sync --registry=txt --txt-owner-id=dev-aks-active --domain-filter=dev.platform.example.net '--annotation-filter=external-dns.alpha.kubernetes.io/exclude notin (true)' --provider=azure-private-dns`,
    {},
    "azure-private-dns",
  ],
  [
    "6 Google",
    "--log-level=info --log-format=json --interval=1m --source=ingress --policy=sync --registry=txt --txt-owner-id=demo-apps --domain-filter=demo-apps.cluster --domain-filter=apps.example.io --provider=google --google-project=demo-apps",
    {},
    "google-clouddns",
  ],
  [
    "8 Istio",
    "--source=service --source=ingress --source=istio-gateway --source=istio-virtualservice --domain-filter=prod.example.digital --domain-filter=prod.example.io --provider=aws --aws-zone-type=public --registry=txt --txt-owner-id=prod-labs --log-format=json",
    {},
    "aws-route53",
  ],
  [
    "9 Azure by Bitnami",
    "--metrics-address=:7979 --log-level=info --log-format=text --domain-filter=example.net --policy=sync --provider=azure --registry=txt --interval=1m --txt-owner-id=rg-example --source=ingress --azure-resource-group=rg-dns",
    {},
    "azure-dns",
  ],
  [
    "7 default targets",
    "--registry=txt --txt-prefix=external-dns-new- --txt-owner-id=k8s --provider=rfc2136 --rfc2136-host=192.0.2.1 --rfc2136-port=5300 --rfc2136-zone=local.example.net --rfc2136-insecure --rfc2136-tsig-axfr --domain-filter=local.example.net --default-targets=kubernetes.local.example.net --source=gateway-httproute --source=gateway-tlsroute",
    {},
    "rfc2136",
  ],
  [
    "10 templates",
    "--metrics-address=127.0.0.1:7979 --txt-owner-id=external-dns-sample --provider=aws --source=service --policy=sync --registry=txt --log-level=debug --zone-id-filter=Z0000000EXAMPLE04 --label-filter=external-dns.mydomain.org/publish=yes --service-type-filter=LoadBalancer '--fqdn-template={{.Name}}.example.net' --ignore-hostname-annotation --aws-prefer-cname --txt-prefix=external-dns-",
    {},
    "aws-route53",
  ],
] as const)("deployment %s starts", (_, line, environment, type) => {
  const { problems, config } = translate(line, environment);
  expect(problems).toEqual([]);
  expect(config?.provider.type).toBe(type);
});

test.each([
  ["", { isAwsNamePlain: false, aliasProperties: { evaluateTargetHealth: "true" } }],
  ["--no-aws-evaluate-target-health", { isAwsNamePlain: false, aliasProperties: {} }],
  ["--aws-prefer-cname", { isAwsNamePlain: true }],
])("aliases of AWS with %s", (flags, rules) => {
  expect(translate(`--provider=aws --source=service ${flags}`).config?.rules).toMatchObject(rules);
});

test("what is asked of Cloudflare's records counts with Cloudflare alone", () => {
  const line = "--source=service --txt-owner-id=me --policy=sync --cloudflare-proxied";
  const propertiesOf = (provider: string) =>
    translate(`${provider} ${line}`, CLOUDFLARE).config?.rules.properties;
  expect(propertiesOf("--provider=cloudflare")).toEqual({ proxied: "true" });
  expect(propertiesOf(RFC2136)).toEqual({});
});

test("the three kinds of traefik-proxy", () => {
  const { args, problems } = translate(
    "--provider=aws --source=traefik-proxy --no-traefik-enable-legacy",
  );
  expect(problems).toEqual([]);
  expect(args).toContain(
    "--controllers=compound,traefik-proxy,traefik-proxy-tcp,traefik-proxy-udp",
  );
  expect(
    translate("--provider=aws --source=traefik-proxy --traefik-enable-legacy").problems,
  ).toEqual([expect.stringMatching(/^--traefik-enable-legacy .*traefik\.io/)]);
});

test("a registry that is not here, and one that knows no owners", () => {
  const lines = ["dynamodb", "noop"].map((one) =>
    translate(`${RFC2136} --source=service --policy=sync --registry=${one}`),
  );
  expect(lines[0]?.problems).toEqual([
    expect.stringMatching(/^--registry "dynamodb" is none of .*--adopt=equal takes those/),
  ]);
  expect(lines[1]?.remarks).toEqual([expect.stringMatching(/^--registry=noop: .*--noop-owns/)]);
});

test.each(["pihole --pihole-server=http://pihole --registry=noop", "coredns", "webhook"])(
  "without --domain-filter %s serves all names",
  (provider) => {
    const { config } = translate(`--source=service --provider=${provider}`);
    expect(config?.provider.config["zones"]).toEqual(["."]);
  },
);

const PIHOLE = "--provider=pihole --source=service --pihole-server=http://pihole";

test("a Pi-hole with the domains that it is asked for", () => {
  const { config, problems } = translate(
    `${PIHOLE} --domain-filter=example.lan --pihole-password=secret --registry=noop`,
  );
  expect(problems).toEqual([]);
  expect(config?.provider).toEqual({
    type: "pihole",
    secret: { Server: "http://pihole", Password: "secret" },
    config: { zones: ["example.lan"] },
  });
});

test("what a Pi-hole lacks is told at once", () => {
  const line = "--provider=pihole --source=service --pihole-api-version=5";
  expect(translate(`${line} --pihole-tls-skip-verify`).problems).toEqual([
    expect.stringMatching(/^--pihole-tls-skip-verify.* --tls-ca/),
    expect.stringMatching(
      /^--pihole-api-version of external-dns up to v0.21.0, has.* upgrade to Pi-hole 6/,
    ),
    expect.stringMatching(/^--pihole-server is missing/),
    expect.stringMatching(/^--registry is txt, and Pi-hole has no TXT records/),
  ]);
});

test("an OpenStack as external-dns up to v0.16 served it", () => {
  const environment = {
    OS_AUTH_URL: "https://keystone.example.org:5000/v3",
    OS_USERNAME: "dns",
    OS_PASSWORD: "secret",
    OS_TENANT_NAME: "demo",
    OS_USER_DOMAIN_NAME: "Default",
    OPENSTACK_CA_FILE: "/etc/kubernetes/azure.json",
    HOME: "/root",
  };
  const line = "--provider=designate --source=service";
  expect(translate(line, environment).config?.provider).toEqual({
    type: "openstack-designate",
    secret: {
      OS_AUTH_URL: "https://keystone.example.org:5000/v3",
      OS_USERNAME: "dns",
      OS_PASSWORD: "secret",
      OS_PROJECT_NAME: "demo",
      OS_USER_DOMAIN_NAME: "Default",
      CACERT: FILES["/etc/kubernetes/azure.json"],
    },
    config: {},
  });
  expect(translate(line).problems).toEqual([
    "--provider designate needs OS_AUTH_URL in the environment",
  ]);
});

test("an Infoblox as external-dns up to v0.14 served it", () => {
  const line = "--provider=infoblox --source=service";
  const { config } = translate(`${line} --infoblox-grid-host=192.0.2.9 --infoblox-max-results=0`, {
    EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD: "secret",
  });
  expect(config?.provider).toEqual({
    type: "infoblox-dns",
    secret: { HOST: "192.0.2.9", USERNAME: "admin", PASSWORD: "secret", VERSION: "2.3.1" },
    config: {},
  });
  expect(translate(`${line} --infoblox-create-ptr --no-infoblox-ssl-verify`).problems).toEqual([
    expect.stringMatching(/^--infoblox-ssl-verify .*--tls-ca/),
    expect.stringMatching(/^--infoblox-create-ptr .*PTR records/),
    "--infoblox-grid-host is missing; write it",
    "--infoblox-wapi-password is missing; write it",
  ]);
});

test("the endpoints of AWS that the environment of every SDK says", () => {
  const environment = { AWS_ENDPOINT_URL: "http://x", AWS_ENDPOINT_URL_STS: "http://sts" };
  const { config } = translate("--provider=aws --source=service", environment);
  expect(config?.provider.config).toEqual({ endpoint: "http://x", stsEndpoint: "http://sts" });
});

const ZONES = "--source=service --txt-owner-id=me --policy=sync";
const AZURE_ZONE =
  "/subscriptions/s/resourceGroups/Dns/providers/Microsoft.Network/dnszones/example.org";

test.each([
  ["--provider=aws --zone-id-filter=/hostedzone/Z1 --zone-id-filter=Z2", ["Z1", "Z2"]],
  ["--provider=cloudflare --zone-id-filter=abc", ["abc"]],
  ["--provider=google --google-project=p --zone-id-filter=main", ["p/main"]],
  [`--provider=azure --zone-id-filter=${AZURE_ZONE}`, ["Dns/example.org"]],
  ["--provider=azure --zone-id-filter=dnszones/example.org", ["rg/example.org"]],
  [`${RFC2136} --zone-id-filter=example.org`, []],
])("zones by the ids of their provider: %s", (line, zones) => {
  const { problems, config } = translate(`${ZONES} ${line}`, CLOUDFLARE);
  expect([problems, config?.zones]).toEqual([[], zones]);
});

test.each([
  ["--provider=google --google-project=p --zone-id-filter=123", /is the number of a zone/],
  ["--provider=google --zone-id-filter=main", /needs --google-project/],
  [
    "--provider=azure-private-dns --azure-subscription-id=s --azure-config-file=/none.json --zone-id-filter=x",
    /cannot be read/,
  ],
])("a zone that has no id here is told: %s", (line, problem) => {
  expect(translate(`${ZONES} ${line}`).problems).toEqual([expect.stringMatching(problem)]);
});
