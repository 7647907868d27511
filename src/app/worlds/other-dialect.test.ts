/** Objects that name names for external-dns only: where it is reported, and where it is not. */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import {
  objectOf,
  type ProgramOptions,
  programWorld,
} from "../../../test/support/worlds/program-world.ts";
import { unreadObjects } from "../api/blind-spots.ts";

const ADDRESS = "192.0.2.1";
const NAMES = "dns.gardener.cloud/dnsnames";
const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";

/** A record and its marker as external-dns writes them. */
function kept(name: string, resource: string, owner = "me"): string {
  const marker = `heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}`;
  return `${name} 300 A ${ADDRESS}\na-${name} 300 TXT "${marker}"\n`;
}

function world(options: ProgramOptions = {}) {
  const made = programWorld(options);
  const { cluster } = made;
  const service = (name: string, annotations: Readonly<Record<string, string>> = {}) => {
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata: { annotations }, spec }));
    cluster.setStatus(SERVICE, "default", name, { loadBalancer: { ingress: [{ ip: ADDRESS }] } });
  };
  const ingress = (name: string, host: string, annotations = {}) => {
    const fields = { metadata: { annotations }, spec: { rules: [{ host }] } };
    cluster.apply(INGRESS, objectOf("networking.k8s.io/v1", "Ingress", name, fields));
  };
  const events = () =>
    cluster.events
      .filter(({ note }) => note.message.includes("is not read"))
      .map(({ object, note, count }) => `${object} ${note.type} ${note.message} x${count}`);
  return { ...made, service, ingress, events };
}

test("an Event only where a record of our owner id at the name names the object", async () => {
  const zone = [
    kept("old", "service/default/old"),
    kept("rule", "ingress/default/rule"),
    kept("other", "service/default/other", "another"),
    kept("silent", "service/default/silent"),
  ].join("");
  const made = world({ zone });
  const { service, ingress, start, clock, events } = made;
  service("old", { [HOSTNAME]: "old.example.org" });
  service("other", { [HOSTNAME]: "other.example.org" });
  service("plain", { [HOSTNAME]: "plain.example.org,old.example.org" });
  service("silent", { [HOSTNAME]: "elsewhere.example.org" });
  ingress("rule", "rule.example.org");
  const running = start();
  await clock.advance(120_000);
  expect(events()).toEqual([
    `service/default/old Warning old.example.org: named in the annotation ${HOSTNAME}, which is not read; its record stays until a person removes it; set ${NAMES} to keep it up to date x1`,
    `ingress/default/rule Warning rule.example.org: named in spec.rules, which is not read; its record stays until a person removes it; set ${NAMES} to keep it up to date x1`,
  ]);
  const before = made.zone();
  service("old", { [NAMES]: "old.example.org" });
  await clock.advance(600_000);
  expect(events()).toHaveLength(2);
  expect(made.zone()).toBe(before);
  await running.stop();
});

test("an Event where an object that is annotated for us has names for external-dns alone", async () => {
  const { service, start, clock, cluster } = world();
  const annotated = { "dns.gardener.cloud/ttl": "60" };
  service("mixed", { [HOSTNAME]: "mixed.example.org", ...annotated });
  service("plain", { [HOSTNAME]: "plain.example.org" });
  service("both", { [HOSTNAME]: "x.example.org", [NAMES]: "both.example.org", ...annotated });
  const running = start();
  await clock.advance(600_000);
  const events = cluster.events.filter(({ note }) => note.message.includes("not read here"));
  expect(events.map(({ object, note, count }) => `${object} ${note.message} x${count}`)).toEqual([
    `service/default/mixed service/default/mixed ${HOSTNAME}: names for external-dns are not read here: write ${NAMES} (metadata.annotations[${HOSTNAME}]) x1`,
  ]);
  await running.stop();
});

test("each source is counted, within what is asked; what is listed here is not counted", async () => {
  const { service, ingress, start, clock } = world();
  service("old", { [HOSTNAME]: "old.example.org" });
  service("two", { "external-dns.kubernetes.io/hostname": "b.example.org,a.example.org" });
  service("both", { [HOSTNAME]: "both.example.org", [NAMES]: "both.example.org" });
  service("plain");
  ingress("rule", "rule.example.org");
  ingress("chosen", "left-out.example.org", { [NAMES]: "chosen.example.org" });
  ingress("foreign", "www.example.net");
  const running = start();
  await clock.advance(10_000);
  const within = async (apex: string) =>
    unreadObjects(await running.namedElsewhere((name) => name.endsWith(apex)));
  expect(await within(".example.org")).toEqual([
    {
      source: "service-dns",
      kind: "service",
      count: 2,
      objects: [
        {
          object: "service/default/old",
          name: "old.example.org",
          where: `the annotation ${HOSTNAME}`,
        },
        {
          object: "service/default/two",
          name: "b.example.org",
          where: "the annotation external-dns.kubernetes.io/hostname",
        },
      ],
    },
    {
      source: "ingress-dns",
      kind: "ingress",
      count: 1,
      objects: [{ object: "ingress/default/rule", name: "rule.example.org", where: "spec.rules" }],
    },
  ]);
  expect(await within("a.example.org")).toMatchObject([{ kind: "service", count: 1 }]);
  expect(await within(".example.com")).toEqual([]);
  await running.stop();
});
