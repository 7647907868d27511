/** The flags of single providers; a part of the table in flags.ts. */
import { invariant } from "@zonekeeper/base/invariant";
import {
  FLAG_TYPES,
  type FlagRow,
  flagRows,
  idle,
  refused,
  type Versions,
  works,
} from "./flag-row.ts";

const PACED = "each account has a budget of calls that adapts to what its API allows";
const LISTED = "zones are listed each two minutes";
const TRUST = "give the certificate authority with --tls-ca";

const AWS = flagRows("aws", {
  "aws-zone-type": works("text", "only zones of that kind", "-", {
    choices: ["public", "private"],
  }),
  "aws-zone-tags": refused("list", "name the zones with --zone-id-filter"),
  "aws-zone-match-parent": idle(
    "bool",
    "a domain inside of a zone selects the zone anyway",
    "v0.14.1-",
  ),
  "aws-profile": refused(
    "list",
    "set AWS_PROFILE, or an access key, in the environment",
    "v0.15.0-",
  ),
  "aws-assume-role": works("text", "the role is assumed with the credentials of the process"),
  "aws-assume-role-external-id": works("text", "goes with --aws-assume-role", "v0.13.0-"),
  "aws-prefer-cname": works("bool", "load balancers of AWS get CNAME records, and no aliases"),
  "aws-evaluate-target-health": works("bool", "of aliases to load balancers; true if not given"),
  "aws-api-retries": idle("integer", PACED),
  "aws-batch-change-size": idle("integer", PACED),
  "aws-batch-change-size-bytes": idle("integer", PACED, "v0.14.1-"),
  "aws-batch-change-size-values": idle("integer", PACED, "v0.14.1-"),
  "aws-batch-change-interval": idle("duration", PACED),
  "aws-max-change-count": idle("integer", PACED, "-v0.5.6"),
  "aws-zones-cache-duration": idle("duration", LISTED),
});

const AZURE = flagRows("azure", {
  "azure-config-file": works("text", "read as external-dns reads it"),
  "azure-resource-group": works("text", "only zones of that group"),
  "azure-subscription-id": works("text", "in place of that of the file"),
  "azure-user-assigned-identity-client-id": works("text", "in place of that of the file"),
  "azure-zones-cache-duration": idle("duration", LISTED, "v0.15.1-"),
  "azure-maxretries-count": idle("integer", PACED, "v0.18.0-"),
});

const GOOGLE = flagRows("google", {
  "google-project": works("text", "the project of the zones; default: that of the node"),
  "google-zone-visibility": works("text", "only zones of that kind", "-", {
    choices: ["public", "private"],
  }),
  "google-batch-change-size": idle("integer", PACED),
  "google-batch-change-interval": idle("duration", PACED),
});

const CUSTOM_HOSTNAMES = "leave custom hostnames to another program; they are not built here";
const REGIONAL = "leave regional services to another program; they are not built here";
const CLOUDFLARE = flagRows("cloudflare", {
  "cloudflare-proxied": works("bool", "the default of the annotation cloudflare-proxied"),
  "cloudflare-dns-records-per-page": idle("integer", "pages are as large as the API allows"),
  "cloudflare-zones-per-page": idle("integer", "pages are as large as the API allows", "-v0.13.2"),
  "cloudflare-custom-hostnames": refused("bool", CUSTOM_HOSTNAMES, "v0.16.1-"),
  "cloudflare-custom-hostnames-min-tls-version": idle("text", "it goes with custom hostnames"),
  "cloudflare-custom-hostnames-certificate-authority": idle(
    "text",
    "it goes with custom hostnames",
  ),
  "cloudflare-regional-services": refused("bool", REGIONAL, "v0.18.0-"),
  "cloudflare-region-key": refused("text", REGIONAL, "v0.15.1-"),
  "cloudflare-record-comment": refused(
    "text",
    "leave it out: comments that stand are kept",
    "v0.18.0-",
  ),
});

const KERBEROS = "give a TSIG key, with --rfc2136-tsig-keyname and --rfc2136-tsig-secret";
const RFC2136 = flagRows("rfc2136", {
  "rfc2136-host": works("list", "the primary server; one"),
  "rfc2136-port": works("integer", "53 if it is not given"),
  "rfc2136-zone": works("list", "the zones; those of --domain-filter if there is none"),
  "rfc2136-insecure": works("bool", "updates and transfers are not signed"),
  "rfc2136-tsig-keyname": works("text", "the name of the key"),
  "rfc2136-tsig-secret": works("text", "its secret", "-", { isSecret: true }),
  "rfc2136-tsig-secret-alg": works("text", "hmac-sha256 if it is not given"),
  "rfc2136-axfr": idle("bool", "zones are read by transfer anyway", "v0.22.0-"),
  "rfc2136-tsig-axfr": idle("bool", "zones are read by transfer anyway, signed if there is a key"),
  "rfc2136-min-ttl": works("duration", "the TTL of objects that say none, or a lower one"),
  "rfc2136-batch-change-size": idle("integer", PACED),
  "rfc2136-use-tls": works("bool", "DNS over TLS", "v0.14.1-"),
  "rfc2136-skip-tls-verify": refused("bool", TRUST, "v0.14.1-"),
  "rfc2136-load-balancing-strategy": refused("text", "name the primary server alone", "v0.16.0-", {
    harmless: ["disabled"],
  }),
  "rfc2136-create-ptr": refused("bool", "write PTR records as DNSEndpoints", "v0.15.0-v0.20.0"),
  "rfc2136-gss-tsig": refused("bool", KERBEROS),
  "rfc2136-kerberos-username": idle("text", "it goes with --rfc2136-gss-tsig"),
  "rfc2136-kerberos-password": idle("text", "it goes with --rfc2136-gss-tsig", "-", {
    isSecret: true,
  }),
  "rfc2136-kerberos-realm": idle("text", "it goes with --rfc2136-gss-tsig"),
});

const PDNS = flagRows("pdns", {
  "pdns-server": works("text", "http://localhost:8081 if it is not given"),
  "pdns-server-id": works("text", "localhost if it is not given", "v0.15.1-"),
  "pdns-api-key": works("text", "the key of the API", "-", { isSecret: true }),
  "pdns-skip-tls-verify": refused("bool", TRUST, "v0.13.6-"),
  "pdns-tls-enabled": idle("bool", "an address with https uses TLS", "-v0.13.5"),
});

const PIHOLE = flagRows("pihole", {
  "pihole-server": works("text", "the address of a Pi-hole 6"),
  "pihole-password": works("text", "of the web interface, or of an application", "-", {
    isSecret: true,
  }),
  "pihole-tls-skip-verify": refused("bool", TRUST),
  "pihole-api-version": refused(
    "text",
    "upgrade to Pi-hole 6; the API before it is not served",
    "-v0.21.0",
    { harmless: ["6"] },
  ),
});

const COREDNS = flagRows("coredns", {
  "coredns-prefix": works("text", "/skydns/ if it is not given"),
  "coredns-strictly-owned": refused("bool", "leave it out: owners are in markers", "v0.21.0-"),
});

const WEBHOOK = flagRows("webhook", {
  "webhook-provider-url": works("text", "http://localhost:8888 if it is not given"),
  "webhook-provider-read-timeout": idle("duration", PACED, "v0.14.0-"),
  "webhook-provider-write-timeout": idle("duration", PACED, "v0.14.0-"),
  "webhook-provider-read-header-timeout": idle("duration", PACED),
  "webhook-provider-idle-timeout": idle("duration", PACED),
  "webhook-provider-max-body-size": idle("integer", "answers are bounded anyway"),
});

const ALIBABA = flagRows("alibabacloud", {
  "alibaba-cloud-config-file": works("text", "its access key is used"),
  "alibaba-cloud-zone-type": refused(
    "text",
    "public zones are served; leave private ones out",
    "-",
    { harmless: ["public"] },
  ),
});

const TLS = flagRows(null, {
  "tls-ca": works("text", "certificates to trust, of rfc2136, pdns, pihole, infoblox and webhook"),
  "tls-client-cert": works("text", "of rfc2136 over TLS"),
  "tls-client-cert-key": works("text", "of rfc2136 over TLS"),
});

const UNTIL_14 = "-v0.14.2";
const ZONES_BY_NAME = "name the zones with --domain-filter";
const INFOBLOX = flagRows("infoblox", {
  "infoblox-grid-host": works("text", "the Grid Master", UNTIL_14),
  "infoblox-wapi-port": works("integer", "443 if it is not given", UNTIL_14),
  "infoblox-wapi-username": works("text", "admin if it is not given", UNTIL_14),
  "infoblox-wapi-password": works("text", "of that user", UNTIL_14, { isSecret: true }),
  "infoblox-wapi-version": works("text", "2.3.1 if it is not given", UNTIL_14),
  "infoblox-view": works("text", "the DNS view; default if it is not given", UNTIL_14),
  "infoblox-max-results": works("integer", "objects of one page", UNTIL_14),
  "infoblox-ssl-verify": refused("bool", TRUST, UNTIL_14, { harmless: ["true"] }),
  "infoblox-create-ptr": refused("bool", "write PTR records as DNSEndpoints", UNTIL_14),
  "infoblox-fqdn-regex": refused("text", ZONES_BY_NAME, UNTIL_14),
  "infoblox-name-regex": refused("text", ZONES_BY_NAME, UNTIL_14),
  "infoblox-cache-duration": idle("integer", LISTED, UNTIL_14),
});

/**
 * Of providers that are not here: whoever names one is told so by `--provider`. `names`: flags,
 * each with its type where that is not text.
 */
const absent = (
  provider: string,
  names: string,
  versions: Versions | "-" = "-",
): readonly FlagRow[] =>
  names.split(" ").flatMap((one) => {
    const [name = "", type = "text"] = one.split(":");
    const flagType = FLAG_TYPES.find((each) => each === type);
    invariant(flagType, `${type} is no type of flags`);
    const body = idle(flagType, `the provider ${provider} is not here`, versions, SECRET);
    return flagRows(provider, { [name]: body });
  });

const SECRET = { isSecret: true };

const ABSENT: readonly FlagRow[] = [
  ...absent("aws-sd", "aws-sd-service-cleanup:bool aws-sd-create-tag:list"),
  ...absent(
    "akamai",
    "akamai-access-token akamai-client-secret akamai-client-token akamai-edgerc-path akamai-edgerc-section akamai-serviceconsumerdomain",
    "-v0.21.0",
  ),
  ...absent(
    "bluecat",
    "bluecat-config-file bluecat-dns-configuration bluecat-dns-deploy-type bluecat-dns-server-name bluecat-dns-view bluecat-gateway-host bluecat-root-zone bluecat-skip-tls-verify:bool",
    "-v0.14.2",
  ),
  ...absent("cloudfoundry", "cf-api-endpoint cf-password cf-username", "-v0.20.0"),
  ...absent("digitalocean", "digitalocean-api-page-size:integer", "-v0.20.0"),
  ...absent("dyn", "dyn-customer-name dyn-min-ttl:duration dyn-password dyn-username", "-v0.14.2"),
  ...absent(
    "exoscale",
    "exoscale-apienv exoscale-apizone exoscale-apikey exoscale-apisecret exoscale-zones-cache-duration:duration",
  ),
  ...absent("exoscale", "exoscale-endpoint", "-v0.13.5"),
  ...absent(
    "godaddy",
    "godaddy-api-key godaddy-api-secret godaddy-api-ttl:integer godaddy-api-ote:bool",
  ),
  ...absent("ibmcloud", "ibmcloud-config-file ibmcloud-proxied:bool", "-v0.17.0"),
  ...absent("inmemory", "inmemory-zone:list"),
  ...absent("ns1", "ns1-endpoint ns1-ignoressl:bool ns1-min-ttl:integer"),
  ...absent(
    "oci",
    "oci-config-file oci-compartment-ocid oci-zone-scope oci-auth-instance-principal:bool oci-zones-cache-duration:duration",
  ),
  ...absent("ovh", "ovh-endpoint ovh-api-rate-limit:integer ovh-enable-cname-relative:bool"),
  ...absent("plural", "plural-cluster plural-provider", "-v0.21.0"),
  ...absent("rcodezero", "rcodezero-txt-encrypt:bool", "-v0.14.2"),
  ...absent("tencentcloud", "tencent-cloud-config-file tencent-cloud-zone-type", "-v0.17.0"),
  ...absent("transip", "transip-account transip-keyfile", "-v0.21.0"),
];

/** See above. */
export const PROVIDER_FLAGS: readonly FlagRow[] = [
  ...AWS,
  ...AZURE,
  ...GOOGLE,
  ...CLOUDFLARE,
  ...RFC2136,
  ...PDNS,
  ...PIHOLE,
  ...COREDNS,
  ...WEBHOOK,
  ...ALIBABA,
  ...INFOBLOX,
  ...TLS,
  ...ABSENT,
];
