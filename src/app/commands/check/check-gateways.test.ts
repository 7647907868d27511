import { OperationError } from "@zonekeeper/base/operation-error";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { GATEWAY, ISTIO_GATEWAY } from "../../../model/kinds.ts";
import { checkGateways } from "./check-gateways.ts";

const CONFIG = {
  namespace: null,
  publish: { sourceClasses: ["gardendns"] as const },
  externalDns: null,
  controllers: new Set(["compound", "service-dns"]),
};

/** Names are those of Gateways with the annotation; a class is behind a slash. */
function readerOf(names: readonly string[], served: KindRef) {
  const readAll = async (kind: KindRef): Promise<readonly KubeObject[]> => {
    if (kind !== served)
      throw new OperationError({ code: "NotFound", message: "not served", retry: "never" });
    return names.map((text) => {
      const [name = "", dnsClass] = text.split("/");
      const classes = dnsClass === undefined ? {} : { "dns.gardener.cloud/class": dnsClass };
      const annotations = { "dns.gardener.cloud/dnsnames": "*", ...classes };
      const metadata = { name, namespace: "default", ...(name === "bare" ? {} : { annotations }) };
      return { apiVersion: `${kind.group}/v1`, kind: "Gateway", metadata };
    });
  };
  return { readAll, read: async () => null };
}

test("Gateways that ask for names in Gardener's way are listed by kind, with what to do", async () => {
  const findings = await checkGateways(readerOf(["a", "b/garden", "bare"], GATEWAY), CONFIG);
  expect(findings).toEqual([
    {
      subject: "gateways of gateway.networking.k8s.io",
      state: "problem",
      message:
        "default/a: dns.gardener.cloud/dnsnames has no effect on a Gateway; the hosts of its HTTPRoutes are published with --controllers all,gateway-httproute; for others write a DNSEntry for each name, or annotate the Service of its load balancer, and take the annotation off",
    },
  ]);
});

test("many are shortened; without any there is nothing to say", async () => {
  const many = Array.from({ length: 7 }, (_, index) => `g${index}`);
  const [finding] = await checkGateways(readerOf(many, ISTIO_GATEWAY), CONFIG);
  expect(finding?.message).toMatch(/^default\/g0, .*default\/g4 and 2 more: /);
  expect(await checkGateways(readerOf(["bare"], ISTIO_GATEWAY), CONFIG)).toEqual([]);
  const one = readerOf(["a"], ISTIO_GATEWAY);
  // Others read the objects.
  expect(await checkGateways(one, { ...CONFIG, externalDns: {} })).toEqual([]);
  expect(await checkGateways(one, { ...CONFIG, controllers: new Set(["compound"]) })).toEqual([]);
});

test("Gateways that may not be read are in the answer, with the right that is missing", async () => {
  const readAll = async (kind: KindRef): Promise<readonly KubeObject[]> => {
    const code = kind === GATEWAY ? "Forbidden" : "NotFound";
    throw new OperationError({ code, message: "no", retry: "never" });
  };
  const reader = { readAll, read: async () => null };
  const found = (where: string) => [
    {
      subject: "gateways of gateway.networking.k8s.io",
      state: "ok",
      message: `were not looked at for dns.gardener.cloud/dnsnames, which has no effect on them: the right to list gateways.gateway.networking.k8s.io ${where} is missing`,
    },
  ];
  expect(await checkGateways(reader, CONFIG)).toEqual(found("in all namespaces"));
  const one = { ...CONFIG, namespace: "shop" };
  expect(await checkGateways(reader, one)).toEqual(found("in namespace shop"));
});
