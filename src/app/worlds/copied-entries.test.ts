/** `dnsentry-source`: DNSEntries are copied to another class, and their status comes back. */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { conditionIn } from "../../controllers/objects/conditions.ts";
import { LIVE_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ANNOTATION, DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const COPYING = { sourceClasses: ["intern"], targetClass: "gardendns" } as const;

function world() {
  const made = programWorld({ controllers: ["compound", "dnsentry-source"] });
  const { cluster, clock } = made;
  const entry = (spec: object, name = "web", more: Readonly<Record<string, string>> = {}) => {
    const metadata = { annotations: { [CLASS_ANNOTATION]: "intern", ...more } };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { metadata, spec }));
  };
  const annotate = (annotations: Readonly<Record<string, string>>, name = "web") => {
    const resourceRef = { apiVersion: API, kind: "DNSEntry", name };
    const spec = { resourceRef, annotations };
    cluster.apply(DNS_ANNOTATION, objectOf(API, "DNSAnnotation", name, { spec }));
  };
  const verdict = (name = "web") =>
    fieldsOf(cluster.now(DNS_ANNOTATION, "default", name)?.["status"]);
  const copies = (): readonly KubeObject[] => {
    const list = cluster.list(DNS_ENTRY);
    const all = list.state === "value" ? list.value : [];
    return all.filter(
      ({ metadata: { annotations } }) => annotations?.[CLASS_ANNOTATION] === undefined,
    );
  };
  const status = (name = "web") => fieldsOf(cluster.now(DNS_ENTRY, "default", name)?.["status"]);
  return { ...made, entry, annotate, verdict, copies, status, rest: () => clock.advance(60_000) };
}

test("a copy is published, follows its entry, and its status is carried back", async () => {
  const { start, entry, copies, status, rest, values, cluster, zone } = world();
  const running = start(null, COPYING);
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"], ttl: 77 });
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.1"]);
  expect(copies().map(({ spec }) => spec)).toEqual([
    { dnsName: "web.example.org", targets: ["192.0.2.1"], ttl: 77 },
  ]);
  const generation = cluster.now(DNS_ENTRY, "default", "web")?.metadata.generation;
  expect(status()).toMatchObject({
    state: "Ready",
    provider: "remote: default/p",
    zone: copies()[0]?.["status"] && fieldsOf(copies()[0]?.["status"])["zone"],
    targets: ["192.0.2.1"],
    ttl: 77,
    observedGeneration: generation,
  });
  expect(status()["conditions"]).toContainEqual(
    expect.objectContaining({ type: "Ready", status: "True", reason: "Published" }),
  );
  expect(zone()).toContain(`dnsentry/default/${copies()[0]?.metadata.name}`);
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  entry({ dnsName: "new.example.org", text: ["hello"] });
  await rest();
  expect([values("web.example.org"), values("new.example.org")]).toEqual([[], ['"hello"']]);
  expect(copies()).toHaveLength(1);
  cluster.delete(DNS_ENTRY, "default", "web");
  await rest();
  expect([copies(), values("new.example.org")]).toEqual([[], []]);
  await running.stop();
});

test("a mistake is said at the entry that has it, and what was published stays", async () => {
  const { start, entry, status, rest, values } = world();
  const running = start(null, COPYING);
  entry({ dnsName: "web.example.org", targets: ["not a host"] });
  await rest();
  expect(status()).toMatchObject({ state: "Invalid" });
  expect(status()["message"]).toContain("spec.targets");
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"] });
  await rest();
  expect(status()).toMatchObject({ state: "Ready", message: "dns entry active" });
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"], ttl: -1 });
  await rest();
  expect(status()).toMatchObject({ state: "Stale" });
  expect(values("web.example.org")).toEqual(["192.0.2.1"]);
  // What its copy hears is heard here, too.
  entry({ dnsName: "web.elsewhere.net", targets: ["192.0.2.1"] });
  await rest();
  expect(status()["message"]).toContain("No responsible provider found");
  await running.stop();
});

test("a copy that somebody edited is left, and its entry says so until the copy is deleted", async () => {
  const { start, entry, copies, status, rest, values, cluster } = world();
  const running = start(null, COPYING);
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"] });
  await rest();
  const [copy] = copies();
  if (copy === undefined) throw new Error("no copy");
  const { status: _, ...edited } = copy;
  cluster.apply(DNS_ENTRY, {
    ...edited,
    metadata: { ...copy.metadata, specManagers: ["zonekeeper", "kubectl-edit"] },
    spec: { dnsName: "web.example.org", targets: ["192.0.2.7"] },
  });
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.7"]);
  const message = `its copy default/${copy.metadata.name} does not follow it: kubectl-edit has written its spec; delete the copy to have one made that does`;
  expect(status()).toMatchObject({ state: "Stale", message, targets: ["192.0.2.7"] });
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  cluster.delete(DNS_ENTRY, "default", copy.metadata.name);
  await rest();
  expect(status()).toMatchObject({ state: "Ready", message: "dns entry active" });
  expect(values("web.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});

test("why there is no copy is said at the entry, until there is one", async () => {
  const { start, entry, status, rest, cluster, clock, values } = world();
  const running = start(null, COPYING);
  const namespaceIsMissing = () =>
    cluster.fail({ on: "create", kind: DNS_ENTRY, code: "NotFound", applied: false });
  // The second one is for the look that the written status brings.
  for (let time = 0; time < 2; time++) namespaceIsMissing();
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"] });
  await clock.advance(2_000);
  const message = expect.stringContaining("there is no namespace default in the target cluster");
  expect(status()).toMatchObject({ state: "Error", message });
  expect(status()["conditions"]).toContainEqual(
    expect.objectContaining({ type: "Ready", status: "False", reason: "NotCopied" }),
  );
  namespaceIsMissing();
  const writes = cluster.writes.length;
  await clock.advance(10_000);
  expect(cluster.writes).toHaveLength(writes);
  await rest();
  expect(status()).toMatchObject({ state: "Ready", message: "dns entry active" });
  expect(values("web.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});

test("a copy that is there at last, and that nobody publishes, leaves no former trouble", async () => {
  const { start, entry, status, rest, cluster } = world();
  const running = start(null, { ...COPYING, runs: ["dnsentry-source"] });
  cluster.fail({ on: "create", kind: DNS_ENTRY, code: "NotFound", applied: false });
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"] });
  await rest();
  const message = expect.stringMatching(/^its copy default\/web-\S+ is not published yet$/);
  expect(status()).toMatchObject({ state: "Pending", message });
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  await running.stop();
});

test("entries of one class of one cluster are not copied into it", async () => {
  const { start, entry, copies, rest } = world();
  const running = start(null, { sourceClasses: ["intern", "gardendns"], targetClass: "gardendns" });
  entry({ dnsName: "web.example.org", targets: ["192.0.2.1"] });
  await rest();
  expect(copies()).toEqual([]);
  await running.stop();
});

const WEB = { dnsName: "web.example.org", targets: ["192.0.2.1"] };

test("what an entry asks of who publishes it is asked of its copy, and told at the original", async () => {
  const { start, entry, copies, status, rest, cluster } = world();
  const running = start(null, COPYING);
  const asked = {
    "dns.gardener.cloud/not-rate-limited": "true",
    "gardener.cloud/operation": "reconcile",
  };
  entry(WEB, "web", asked);
  await rest();
  const messages = cluster.events.map(({ note: { message } }) => message);
  for (const key of Object.keys(asked))
    expect(messages).toContainEqual(
      `dnsentry/default/web ${key}: has no effect on a DNSEntry that is copied: annotate its copy (metadata.annotations[${key}])`,
    );
  expect(status()).toMatchObject({ state: "Ready", message: "dns entry active" });
  const [copy] = copies();
  const ref = { kind: DNS_ENTRY, namespace: "default", name: copy?.metadata.name ?? "" };
  await cluster.patch(ref, { metadata: { annotations: asked } });
  await rest();
  const annotations = copies()[0]?.metadata.annotations ?? {};
  expect(Object.keys(asked).map((key) => annotations[key])).toEqual(["true", undefined]);
  const writes = cluster.writes.length;
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  await running.stop();
});

test("a live check is asked for at the original, and what its copy hears comes back", async () => {
  const { start, entry, copies, status, rest } = world();
  const running = start(null, COPYING);
  const lives = () =>
    [status(), fieldsOf(copies()[0]?.["status"])].map((one) => conditionIn(one, "Live"));
  entry(WEB);
  await rest();
  expect(lives()).toEqual([null, null]);
  entry(WEB, "web", { [LIVE_ANNOTATION]: "true" });
  await rest();
  const [original, copy] = lives();
  expect(copy).toMatchObject({ status: "False", message: expect.stringContaining("no network") });
  expect([original?.["status"], original?.["message"]]).toEqual([
    copy?.["status"],
    copy?.["message"],
  ]);
  entry(WEB);
  await rest();
  expect(lives()).toEqual([null, null]);
  await running.stop();
});

describe("a DNSAnnotation of a DNSEntry", () => {
  const TTL = "dns.gardener.cloud/ttl";
  const OWNER = "dns.gardener.cloud/owner-id";
  const web = { dnsName: "web.example.org", targets: ["192.0.2.1"] };
  const specs = (of: readonly KubeObject[]) => of.map(({ spec }) => spec);

  test.each(["before", "after"])("%s it: the copy has what the spec leaves open", async (when) => {
    const { start, entry, annotate, verdict, copies, rest } = world();
    const running = start(null, COPYING);
    if (when === "before") annotate({ [TTL]: "77", [OWNER]: "shop" });
    await rest();
    entry(web);
    await rest();
    if (when === "after") annotate({ [TTL]: "77", [OWNER]: "shop" });
    await rest();
    expect(specs(copies())).toEqual([{ ...web, ttl: 77, ownerId: "shop" }]);
    expect(verdict()).toEqual({ active: true });
    await running.stop();
  });

  test("what the spec sets comes first, and who loses sees it", async () => {
    const { start, entry, annotate, verdict, copies, status, rest } = world();
    const running = start(null, COPYING);
    entry({ ...web, ttl: 60 });
    const names = "dns.gardener.cloud/dnsnames";
    annotate({ [TTL]: "77", [names]: "other.example.org", "dns.gardener.cloud/class": "x" });
    await rest();
    expect(specs(copies())).toEqual([{ ...web, ttl: 60 }]);
    const lost = [
      `spec.annotations[${TTL}] has no effect: spec.ttl of the DNSEntry sets it; remove it there or here`,
      `spec.annotations[${names}] has no effect: its name is spec.dnsName`,
      "spec.annotations[dns.gardener.cloud/class] has no effect: write it on the object itself",
    ];
    expect(verdict()).toEqual({ active: false, message: lost.join("; ") });
    expect(status()).toMatchObject({ state: "Ready" });
    await running.stop();
  });

  test("while DNSAnnotations cannot be read the copy stays as it is", async () => {
    const { start, entry, annotate, copies, values, rest, cluster } = world();
    const running = start(null, COPYING);
    entry(web);
    annotate({ [TTL]: "77" });
    await rest();
    cluster.setKindState(DNS_ANNOTATION, "forbidden");
    await rest();
    expect(specs(copies())).toEqual([{ ...web, ttl: 77 }]);
    expect(values("web.example.org")).toEqual(["192.0.2.1"]);
    await running.stop();
  });

  test("one that is published itself is not annotated: the status says what to do", async () => {
    const { start, entry, annotate, verdict, copies, rest, cluster } = world();
    const running = start(null, COPYING);
    entry(web);
    const spec = { dnsName: "own.example.org", targets: ["192.0.2.2"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "own", { spec }));
    annotate({ [TTL]: "77" }, "own");
    await rest();
    expect(verdict("own")).toEqual({
      active: false,
      message: expect.stringMatching(/^spec\.resourceRef: .* is published itself; write it in/),
    });
    expect(specs(copies())).toContainEqual(spec);
    await running.stop();
  });
});

test("an original that gets a class that nobody serves says so when its copy is gone", async () => {
  const { start, cluster, status, rest, values, copies } = world();
  const put = (of: string, target: string) => {
    const metadata = { annotations: { [CLASS_ANNOTATION]: of } };
    const spec = { dnsName: "web.example.org", targets: [target] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "web", { metadata, spec }));
  };
  let running = start(null, COPYING);
  put("intern", "192.0.2.1");
  await rest();
  put("nobody", "192.0.2.1");
  await rest();
  expect([copies(), values("web.example.org")]).toEqual([[], []]);
  const shown = () => ({ ...status(), conditions: null });
  const message = expect.stringContaining("its class is nobody");
  expect(shown()).toMatchObject({ state: "Error", message });
  expect(shown()).not.toHaveProperty("targets");
  const before = status()["message"];
  const writes = cluster.writes.length;
  await running.stop();
  running = start(null, COPYING);
  await rest();
  expect(cluster.writes).toHaveLength(writes);
  expect(status()["message"]).toBe(before);
  put("intern", "192.0.2.2");
  await rest();
  expect(status()).toMatchObject({ state: "Ready", message: "dns entry active" });
  expect(values("web.example.org")).toEqual(["192.0.2.2"]);
  await running.stop();
});

test("Z-4 an original that is emptied is a mistake: its copy and record stay, and it says so", async () => {
  const { start, cluster, status, rest, values, copies } = world();
  const running = start(null, COPYING);
  const put = (spec: object) => {
    const metadata = { annotations: { [CLASS_ANNOTATION]: "intern" } };
    const whole = { metadata, spec: { dnsName: "web.example.org", ...spec } };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "web", whole));
  };
  put({ targets: ["192.0.2.1"] });
  await rest();
  put({});
  await rest();
  expect([copies().length, values("web.example.org")]).toEqual([1, ["192.0.2.1"]]);
  expect(status()).toMatchObject({
    state: "Stale",
    message: expect.stringContaining("no target or text specified"),
  });
  put({ targets: ["192.0.2.2"] });
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.2"]);
  await running.stop();
});

describe("an entry that was published gets the class that is copied", () => {
  const SPEC = { dnsName: "web.example.org", targets: ["192.0.2.1"] };

  /** Alone, or a publishing and a copying process. */
  function between(apart: boolean) {
    const made = world();
    const { cluster, start, clock, values } = made;
    const run = () => {
      if (!apart) return [start(null, COPYING)];
      const copying = { ...COPYING, runs: ["dnsentry-source"] };
      return [start(null, { runs: ["compound"] }), start(null, copying)];
    };
    const stop = async (running: ReturnType<typeof run>) => {
      for (const one of running) await one.stop();
    };
    const put = (dnsClass: string, spec: object = SPEC) => {
      const metadata = { annotations: { [CLASS_ANNOTATION]: dnsClass } };
      cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "web", { metadata, spec }));
    };
    /** Milliseconds without an answer. */
    const gapIn = async (ms: number) => {
      let lost = 0;
      for (let at = 0; at < ms; at += 100) {
        await clock.advance(100);
        if (values("web.example.org").length === 0) lost += 100;
      }
      return lost;
    };
    return { ...made, run, stop, put, gapIn };
  }

  test.each([false, true])(
    "its record goes over without a gap, and back (apart: %s)",
    async (apart) => {
      const { run, stop, put, rest, gapIn, values, status, zone, cluster, copies } = between(apart);
      const running = run();
      put("gardendns");
      await rest();
      put("intern");
      expect(await gapIn(60_000)).toBe(0);
      expect(zone()).toContain(`dnsentry/default/${copies()[0]?.metadata.name}`);
      put("intern", { ...SPEC, targets: ["192.0.2.2"] });
      await rest();
      expect(values("web.example.org")).toEqual(["192.0.2.2"]);
      expect(status()).toMatchObject({ state: "Ready", message: "dns entry active" });
      put("intern", { dnsName: "new.example.org", targets: ["192.0.2.2"] });
      await rest();
      expect([values("web.example.org"), values("new.example.org")]).toEqual([[], ["192.0.2.2"]]);
      put("intern");
      await rest();
      put("gardendns");
      expect(await gapIn(60_000)).toBe(0);
      expect(zone()).toContain('dnsentry/default/web"');
      const writes = cluster.writes.length;
      await rest();
      expect(cluster.writes).toHaveLength(writes);
      await stop(running);
    },
  );

  test.each([
    ["the same", SPEC, ["192.0.2.1"]],
    ["another address", { ...SPEC, targets: ["192.0.2.2"] }, ["192.0.2.2"]],
    ["an address of the other family", { ...SPEC, targets: ["2001:db8::1"] }, ["2001:db8::1"]],
    ["an alias", { ...SPEC, targets: ["x.example.net"] }, ["x.example.net"]],
  ])("while the program is down, with %s", async (_, spec, shown) => {
    const { run, stop, put, rest, gapIn, values, zone } = between(false);
    let running = run();
    put("gardendns");
    await rest();
    await stop(running);
    put("intern", spec);
    running = run();
    expect(await gapIn(120_000)).toBe(0);
    expect(values("web.example.org")).toEqual(shown);
    expect(zone()).not.toContain('dnsentry/default/web"');
    await stop(running);
  });

  test("the program stops before the copy has the record: it goes over at the next start", async () => {
    const { run, stop, put, rest, gapIn, values, start, copies } = between(false);
    let running = run();
    put("gardendns");
    await rest();
    await stop(running);
    put("intern");
    const copying = start(null, { ...COPYING, runs: ["dnsentry-source"] });
    await rest();
    await copying.stop();
    expect(copies()).toHaveLength(1);
    put("intern", { ...SPEC, targets: ["192.0.2.2"] });
    running = run();
    expect(await gapIn(60_000)).toBe(0);
    expect(values("web.example.org")).toEqual(["192.0.2.2"]);
    await stop(running);
  });

  test("an older entry of another namespace does not get the name meanwhile", async () => {
    const { run, stop, put, rest, values, cluster } = between(false);
    const metadata = { namespace: "other" };
    cluster.apply(SECRET, objectOf("v1", "Secret", "s", { metadata }));
    const provider = { metadata, spec: { type: "memory", secretRef: { name: "s" } } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", provider));
    const others = (dnsName: string) => {
      const mine = { metadata, spec: { dnsName, targets: ["192.0.2.66"] } };
      cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "mine", mine));
    };
    const running = run();
    others("free.example.org");
    put("gardendns");
    await rest();
    others("web.example.org");
    await rest();
    put("intern");
    await rest();
    expect(values("web.example.org")).toEqual(["192.0.2.1"]);
    await stop(running);
  });
});
