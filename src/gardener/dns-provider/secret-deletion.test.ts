import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";
import { DELETION_GRACE_MS } from "./secret-deletion.ts";

const WWW = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
const RECORD = ["www.example.org 300 A 192.0.2.1"];
const HELD = { state: "held", code: "FuseTripped", message: "too many changes at once" } as const;

async function published(): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.start();
  await world.withProvider();
  world.entry("web", WWW);
  await world.pass();
  return world;
}

const secret = (world: GardenerWorld) => world.cluster.now(SECRET, "default", "p");

function shown(world: GardenerWorld): string {
  const { state = "", message = "" } = fieldsOf(world.provider()?.["status"]);
  return `${state}: ${message}`;
}

describe("a Secret that is deleted while a DNSProvider refers to it", () => {
  test("goes soon; status and Event say what to do; entries are Stale and their records stay", async () => {
    const world = await published();
    world.cluster.delete(SECRET, "default", "p");
    await world.pass();
    const message = "secret default/p is being deleted; create it again, or correct spec.secretRef";
    expect(shown(world)).toBe(`Error: ${message}`);
    expect(world.cluster.events.map(({ note }) => note)).toContainEqual({
      ...{ type: "Warning", reason: "DNSProviderError" },
      message,
    });
    expect(world.shown("web")).toBe(`Stale: provider "default/p" not valid: ${message}`);
    await world.pass(DELETION_GRACE_MS);
    expect(secret(world)).toBeNull();
    expect(shown(world)).toContain("secret default/p not found; create it");
    expect(world.zone()).toEqual(RECORD);
  });

  test("a new one of its name is taken at once", async () => {
    const world = await published();
    world.cluster.delete(SECRET, "default", "p");
    await world.pass(DELETION_GRACE_MS + 100);
    await world.withProvider();
    expect(shown(world)).toBe("Ready: provider operational");
    expect(world.shown("web")).toBe("Ready: dns entry active");
    expect(world.accounts.opened).toBe(2);
  });

  test("Z-19: stays while entries that are being deleted need it, and says which provider's", async () => {
    const world = await published();
    world.engine.trouble.set("www.example.org", HELD);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass();
    world.cluster.delete(SECRET, "default", "p");
    await world.pass(10 * DELETION_GRACE_MS);
    const message =
      "secret default/p is being deleted, and stays until the deleting DNSEntries of DNSProvider default/p are gone; create it again, or correct spec.secretRef";
    expect(shown(world)).toBe(`Error: ${message}`);
    expect(world.cluster.events.map(({ note }) => note)).toContainEqual({
      ...{ type: "Warning", reason: "SecretNeeded" },
      message,
    });
    expect(secret(world)).not.toBeNull();
    expect(world.zone()).toEqual(RECORD);

    world.engine.trouble.clear();
    world.engine.again();
    await world.pass();
    expect(world.zone()).toEqual([]);
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
    await world.pass();
    expect(secret(world)).toBeNull();
  });

  test("Z-19: entries that are deleted right after it remove their records", async () => {
    const world = await published();
    world.cluster.delete(SECRET, "default", "p");
    world.cluster.delete(DNS_PROVIDER, "default", "p");
    await world.pass();
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(2 * DELETION_GRACE_MS);
    expect(world.zone()).toEqual([]);
    expect([secret(world), world.provider()]).toEqual([null, null]);
  });

  test.each([
    ["the DNSProvider first", [DNS_PROVIDER, SECRET]],
    ["the Secret first", [SECRET, DNS_PROVIDER]],
  ])("both deleted at once, %s: both go, and records of living entries stay", async (_, kinds) => {
    const world = await published();
    for (const kind of kinds) world.cluster.delete(kind, "default", "p");
    await world.pass(2 * DELETION_GRACE_MS);
    expect([secret(world), world.provider()]).toEqual([null, null]);
    expect(world.zone()).toEqual(RECORD);
    expect(world.shown("web")).toMatch(/^Stale: /);
    await world.withProvider();
    expect(world.shown("web")).toBe("Ready: dns entry active");
    expect(world.zone()).toEqual(RECORD);
  });

  test("its finalizer is taken off while a deleting entry needs it: who waits, for what, and the way out", async () => {
    const world = await published();
    world.engine.trouble.set("www.example.org", HELD);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    world.cluster.delete(DNS_PROVIDER, "default", "p");
    await world.pass(2 * DELETION_GRACE_MS);
    world.cluster.delete(SECRET, "default", "p");
    await world.cluster.patch(
      { kind: SECRET, namespace: "default", name: "p" },
      { metadata: { finalizers: null } },
    );
    await world.pass(10 * DELETION_GRACE_MS);
    expect(secret(world)).toBeNull();
    const message = "secret default/p not found; create it or correct spec.secretRef";
    expect(shown(world)).toBe(`Error: ${message}`);
    expect(world.shown("web")).toMatch(
      /^Deleting: .*provider "default\/p" cannot be used.*waits for it; to release it at once, set the annotation zonekeeper\.dev\/release=true/,
    );
    expect(world.zone()).toEqual(RECORD);
    world.engine.trouble.clear();
    world.cluster.apply(SECRET, {
      ...{ apiVersion: "v1", kind: "Secret", data: { KEY: btoa("hush-p") } },
      metadata: { name: "p", namespace: "default" },
    });
    await world.pass(2 * DELETION_GRACE_MS);
    expect(world.zone()).toEqual([]);
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
    expect([secret(world)?.metadata.finalizers, world.provider()]).toEqual([[], null]);
  });

  test("stays while it is not known which entries there are", async () => {
    const world = await published();
    world.cluster.setKindState(DNS_ENTRY, "forbidden");
    world.cluster.delete(SECRET, "default", "p");
    await world.pass(2 * DELETION_GRACE_MS);
    expect(secret(world)).not.toBeNull();
    world.cluster.relist(DNS_ENTRY);
    await world.pass();
    expect(secret(world)).toBeNull();
  });
});
