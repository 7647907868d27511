/** With the shipped roles nothing is missing; any one verb less is named with its remedy. */
import { readFileSync } from "node:fs";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { HandlerClient, jsonResponse } from "../../../../test/support/clients/handler-client.ts";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import { MemoryCluster } from "../../../../test/support/worlds/memory-cluster.ts";
import { resolveOptions } from "../../../config/resolve-options.ts";
import { type RunConfig, toRunConfig } from "../../../config/run-config.ts";
import { DNS_PROVIDER } from "../../../model/kinds.ts";
import { PLUG_INS } from "../../plugins/rows.ts";
import { type MissingNeed, missingNeeds, needsOf, reviewByAsking } from "./cluster-needs.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}
/** A role, and where it is bound; null = in the whole cluster. */
interface Bound {
  readonly file: string;
  readonly namespace: string | null;
  readonly rules: readonly Rule[];
}
interface Asked {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly verb: string;
  readonly namespace?: string | null | undefined;
  readonly name?: string | undefined;
}

function bound(file: string, namespace: string | null): Bound {
  return { file, namespace, rules: parse(readFileSync(`deploy/rbac/${file}`, "utf8")).rules };
}

const AROUND = [
  bound("clusterrole.yaml", null),
  bound("lease-role.yaml", "dns"),
  bound("webhook-role.yaml", "default"),
];
const SECRETS = "secrets-role.yaml";
const GRANTED = {
  "in all namespaces": [...AROUND, bound(SECRETS, null)],
  "by namespace": [...AROUND, bound(SECRETS, "shop"), bound(SECRETS, "bank")],
};

/** As the RBAC authorizer of a kube-apiserver decides. */
function allows(roles: readonly Bound[], asked: Asked): boolean {
  const { group, resource, subresource, verb, namespace, name } = asked;
  const whole = subresource === undefined ? resource : `${resource}/${subresource}`;
  return roles
    .filter((role) => role.namespace === null || role.namespace === namespace)
    .flatMap(({ rules }) => rules)
    .some(
      (rule) =>
        rule.apiGroups.includes(group) &&
        rule.resources.includes(whole) &&
        rule.verbs.includes(verb) &&
        (rule.resourceNames === undefined || rule.resourceNames.includes(name ?? "")),
    );
}

function configOf(): RunConfig {
  const flags = {
    ...{
      owner: "me",
      controllers: ["all", ...PLUG_INS.controllers.map(({ name }) => name)].join(),
      "dns-target-class": "other",
    },
    ...{ registry: "configmap", "webhook-address": "127.0.0.1:8888", "lease-namespace": "dns" },
    ...{ import: "example.org=mesh", "api-users": "true" },
  };
  const given = { flags, environment: {}, file: null };
  const resolved = resolveOptions({ command: "run", ...given, plugIns: PLUG_INS });
  const read = resolved.ok ? toRunConfig(resolved.value) : resolved;
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const CONFIG = configOf();
const NEEDS = (["run", "restore", "optional"] as const).flatMap((purpose) =>
  needsOf(purpose, CONFIG, { leaseNamespace: "dns" }),
);

async function missing(roles: readonly Bound[]): Promise<readonly MissingNeed[]> {
  const http = new HandlerClient(async ({ path, body }) => {
    const asked =
      body === null || body === undefined ? {} : JSON.parse(Buffer.from(body).toString());
    const attributes: Asked | undefined = asked.spec?.resourceAttributes;
    if (attributes !== undefined)
      return jsonResponse(201, { status: { allowed: allows(roles, attributes) } });
    if (path.includes("selfsubjectreviews"))
      return jsonResponse(201, {
        status: { userInfo: { username: "system:serviceaccount:dns:zonekeeper" } },
      });
    const groups = ["dns.gardener.cloud", "externaldns.k8s.io"];
    if (path === "/apis") {
      const versions = [{ version: "v1alpha1" }];
      const listed = groups.map((name) => ({ name, versions }));
      return jsonResponse(200, { kind: "APIGroupList", groups: listed });
    }
    const names = ["dnsentries", "dnsproviders", "dnsendpoints"];
    return jsonResponse(200, { resources: names.map((name) => ({ name })) });
  });
  const client = new ApiClient({ http, clock: new VirtualClock() });
  const writer = new MemoryCluster("c1");
  for (const namespace of ["shop", "bank"])
    writer.apply(DNS_PROVIDER, {
      ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSProvider" },
      ...{ metadata: { name: "p", namespace }, spec: { type: "rfc2136" } },
    });
  const asked = { client, writer };
  const connections = { source: asked, target: asked, provider: asked, lease: asked };
  return missingNeeds(NEEDS, connections, reviewByAsking(CONFIG, asked));
}

/** Every verb of every rule that no other rule of the same roles grants. */
function lessOne(roles: readonly Bound[]): readonly (readonly [string, readonly Bound[]])[] {
  return roles.flatMap((role, at) =>
    role.rules.flatMap((rule, index) =>
      rule.verbs.flatMap((verb) => {
        const less = { ...rule, verbs: rule.verbs.filter((one) => one !== verb) };
        const rules = role.rules.with(index, less);
        const title = `${verb} ${rule.resources.join()} of ${role.file} in ${role.namespace ?? "all"}`;
        const fewer = roles.with(at, { ...role, rules });
        const [name] = rule.resourceNames ?? [];
        const [whole = ""] = rule.resources;
        const [resource = "", subresource] = whole.split("/");
        const [group = ""] = rule.apiGroups;
        const asked = { group, resource, subresource, verb, namespace: role.namespace, name };
        // Another role may grant it as well.
        return allows(fewer, asked) ? [] : [[title, fewer] as const];
      }),
    ),
  );
}

describe.each(Object.entries(GRANTED))("Secrets %s", (_, roles) => {
  test("the shipped roles are enough", async () => {
    expect(await missing(roles)).toEqual([]);
  });

  test("any one verb less is named", async () => {
    for (const [title, less] of lessOne(roles)) {
      const [verb = "", resource = ""] = title.split(" ");
      const messages = (await missing(less)).map(({ message }) => message);
      // One message for each name of a definition.
      expect(messages.length, title).toBeGreaterThan(0);
      for (const message of messages) {
        const [plural = "", subresource = ""] = resource.split("/");
        expect(message, title).toContain(verb);
        expect(message, title).toContain(subresource === "" ? plural : `${plural}/${subresource}`);
        expect(message, title).toMatch(/kubectl (apply|create)/);
      }
    }
  });
});

test("one namespace without the right is named alone, with whom to bind", async () => {
  const roles = [...AROUND, bound(SECRETS, "shop")];
  const messages = (await missing(roles)).map(({ message }) => message);
  expect(messages).toEqual([
    expect.stringMatching(
      /get, list, watch, patch secrets in namespaces that have DNSProviders: bank; in each of them: kubectl create role zonekeeper-secrets -n bank .*--serviceaccount=dns:zonekeeper/,
    ),
  ]);
});
