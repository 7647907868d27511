/** Mistakes with Services and Ingresses. */
import { ingress, object, service } from "../../support/values/cluster-objects.ts";
import { type Mistake, sourceSays } from "./mistake.ts";
import { type Stage, ZONE } from "./stage.ts";

/** A LoadBalancer Service with other annotations than ours. */
function plain(name: string, annotations: Readonly<Record<string, string>>): string {
  return object("Service", name, {
    metadata: { annotations },
    spec: { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }] },
  });
}

const balanced = (kind: "svc" | "ing", name: string) => (stage: Stage) =>
  stage.user.balance(kind, name, "192.0.2.1");

/** Rows. */
export const SOURCE_MISTAKES: readonly Mistake[] = [
  {
    id: "cluster-ip",
    title: "The Service is no LoadBalancer",
    done: "A Service of `type: ClusterIP` with `dns.gardener.cloud/dnsnames`.",
    object: "svc/cluster-ip",
    wrong: () => [service("cluster-ip", `cluster-ip.${ZONE}`, { type: "ClusterIP" })],
    says: sourceSays(
      "service/default/cluster-ip",
      "NotLoadBalancer",
      "service is not of type LoadBalancer: its names are not published; change spec.type (spec.type)",
    ),
    exit: 2,
    answers: [],
    mend: "Change `spec.type`, publish through an Ingress, or write a DNSEntry with addresses.",
    undo: async (stage) => {
      await stage.user.apply(service("cluster-ip", `cluster-ip.${ZONE}`));
      await balanced("svc", "cluster-ip")(stage);
    },
    mended: () => [],
  },
  {
    id: "ttl-text",
    title: "The TTL annotation is no number",
    done: "`dns.gardener.cloud/ttl: 5m`",
    object: "svc/ttl-text",
    wrong: () => [
      service("ttl-text", `ttl-text.${ZONE}`, { annotations: { "dns.gardener.cloud/ttl": "5m" } }),
    ],
    act: balanced("svc", "ttl-text"),
    says: sourceSays(
      "service/default/ttl-text",
      "InvalidTtl",
      'invalid TTL: "5m" is not a whole number of seconds from 1 to 8640000; write e.g. 300 (metadata.annotations[dns.gardener.cloud/ttl])',
    ),
    exit: 2,
    answers: [],
    mend: "Write seconds: `300`.",
    mended: () => [
      service("ttl-text", `ttl-text.${ZONE}`, { annotations: { "dns.gardener.cloud/ttl": "300" } }),
    ],
  },
  {
    id: "typo",
    title: "The annotation is misspelt",
    done: "`dns.gardener.cloud/dnsname` instead of `dns.gardener.cloud/dnsnames`.",
    object: "svc/typo",
    wrong: () => [plain("typo", { "dns.gardener.cloud/dnsname": `typo.${ZONE}` })],
    act: balanced("svc", "typo"),
    says: sourceSays(
      "service/default/typo",
      "Unsupported",
      "no annotation is called so: write dns.gardener.cloud/dnsnames, or remove it (metadata.annotations[dns.gardener.cloud/dnsname])",
    ),
    exit: 2,
    answers: [],
    mend: "Correct the annotation. [All annotations](../reference/annotations.md).",
    mended: () => [service("typo", `typo.${ZONE}`)],
  },
  {
    id: "prefix",
    title: "The prefix of the annotation is misspelt",
    done: "`dns.gardner.cloud/dnsnames` instead of `dns.gardener.cloud/dnsnames`.",
    object: "svc/prefix",
    wrong: () => [plain("prefix", { "dns.gardner.cloud/dnsnames": `prefix.${ZONE}` })],
    act: balanced("svc", "prefix"),
    says: sourceSays(
      "service/default/prefix",
      "Unsupported",
      "no annotation is called so: write dns.gardener.cloud/dnsnames, or remove it (metadata.annotations[dns.gardner.cloud/dnsnames])",
    ),
    exit: 2,
    answers: [],
    mend: "Correct the annotation. [All annotations](../reference/annotations.md).",
    mended: () => [service("prefix", `prefix.${ZONE}`)],
  },
  {
    id: "external-dns",
    title: "The annotation is one of external-dns",
    done: "`external-dns.alpha.kubernetes.io/hostname` on a Service.",
    object: "svc/external-dns",
    wrong: () => [
      plain("external-dns", {
        "external-dns.alpha.kubernetes.io/hostname": `external-dns.${ZONE}`,
      }),
    ],
    act: balanced("svc", "external-dns"),
    says: {
      message:
        "service/default/external-dns names it in the annotation external-dns.alpha.kubernetes.io/hostname, for external-dns, which Zonekeeper does not read; set dns.gardener.cloud/dnsnames",
      explain: "not read: MESSAGE",
      plan: "1 service has names for external-dns only, in its annotations or in the rules of an ingress; Zonekeeper does not read them: zonekeeper explain 'external-dns.example.net', docs/guides/ownership.md#coming-from-external-dns",
    },
    exit: 1,
    answers: [],
    mend: "Set `dns.gardener.cloud/dnsnames` to the same names ([coming from external-dns](ownership.md#coming-from-external-dns)).",
    mended: () => [service("external-dns", `external-dns.${ZONE}`)],
  },
  {
    id: "no-address",
    title: "The load balancer has no address",
    done: "A Service of type LoadBalancer in a cluster that gives out no addresses.",
    object: "svc/no-address",
    wrong: () => [service("no-address", `no-address.${ZONE}`)],
    says: {
      message: "no address yet",
      event: "Normal dns-annotation: no-address.example.net: MESSAGE: the load balancer has none",
      explain: "service/default/no-address: it has MESSAGE",
    },
    exit: 1,
    answers: [],
    mend: "`kubectl get svc` shows `<pending>`: the cluster needs something that gives addresses to load balancers, such as MetalLB. The name is published as soon as there is an address.",
    undo: balanced("svc", "no-address"),
    mended: () => [],
  },
  {
    id: "undeclared",
    title: "The Ingress does not declare the host",
    done: "An Ingress with the rule `shop.example.net` and `dns.gardener.cloud/dnsnames: undeclared.example.net`.",
    object: "ing/undeclared",
    wrong: () => [ingress("undeclared", `undeclared.${ZONE}`, [`shop.${ZONE}`])],
    act: balanced("ing", "undeclared"),
    says: sourceSays(
      "ingress/default/undeclared",
      "HostNotDeclared",
      "annotated dns name not declared by ingress: add a rule with this host, or take the name off the annotation (metadata.annotations[dns.gardener.cloud/dnsnames])",
    ),
    exit: 2,
    answers: [],
    mend: "Add a rule with the host to `spec.rules`, or correct the annotation. `*` stands for all hosts of the rules.",
    mended: () => [ingress("undeclared", `undeclared.${ZONE}`, [`undeclared.${ZONE}`])],
  },
];
