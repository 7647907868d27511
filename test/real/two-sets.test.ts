/**
 * Two sets of controllers in one cluster and one zone, each with its class, owner id and Lease, and
 * a third process that only generates entries for the first: each serves its own, and none writes
 * objects, finalizers, status or records of the other.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, object, secret, serverKeys, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const CLASS = { "dns.gardener.cloud/class": "other" };

interface Seen {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly finalizers?: readonly string[];
    readonly managedFields?: readonly { readonly manager?: string }[];
  };
  readonly status?: {
    readonly providerType?: string;
    readonly conditions?: readonly object[];
  };
}

describeOnBoth("two sets of controllers in one cluster", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let session: RunSession;
  let one: RunInstance;
  let other: RunInstance;
  const read = async (kind: string, name: string): Promise<Seen> =>
    (await session.user.kubectl.json(["get", kind, name])) as Seen;
  const versionsOf = (kind: string, names: readonly string[]): Promise<readonly string[]> =>
    Promise.all(names.map(async (name) => (await read(kind, name)).metadata.resourceVersion));
  const entryOf = (name: string, address: string, annotations: object = {}, label = name): string =>
    object("DNSEntry", name, {
      metadata: { annotations },
      spec: { dnsName: zone.name(label), targets: [address] },
    });

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    const { user } = session;
    await user.apply(account("net", zone.server));
    await user.apply(secret("net2", serverKeys(zone.server)));
    await user.apply(
      object("DNSProvider", "net2", {
        metadata: { annotations: CLASS },
        spec: { type: "rfc2136", secretRef: { name: "net2" } },
      }),
    );
    one = await session.run("group-one", "--controllers", "compound", "--lease-name", "one");
    const classes = ["--dns-class", "other", "--source-dns-class", "other"];
    other = await session.run("group-two", ...classes, "--lease-name", "two");
    await session.run("group-one", "--controllers", "service-dns", "--lease-name", "three");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("each serves the entries, Services and DNSProviders of its class", async () => {
    const { user } = session;
    await user.apply(entryOf("mine", "192.0.2.1"));
    await user.apply(entryOf("theirs", "192.0.2.2", CLASS));
    await user.apply(service("web", zone.name("web")));
    await user.apply(service("web2", zone.name("web2"), { annotations: CLASS }));
    await user.balance("svc", "web", "192.0.2.3");
    await user.balance("svc", "web2", "192.0.2.4");
    for (const [index, label] of ["mine", "theirs", "web", "web2"].entries())
      await zone.becomes(label, "A", `192.0.2.${index + 1}`);
    for (const [name, finalizer] of [
      ["mine", "dns.gardener.cloud/compound"],
      ["theirs", "other.dns.gardener.cloud/compound"],
    ] as const) {
      await user.becomes("dnse", name, "Ready");
      const { metadata, status } = await read("dnse", name);
      expect(metadata.finalizers).toEqual([finalizer]);
      expect(status?.providerType).toBe("rfc2136");
    }
    expect((await read("dnspr", "net")).metadata.finalizers).toEqual([
      "dns.gardener.cloud/compound",
    ]);
    expect((await read("dnspr", "net2")).metadata.finalizers).toEqual([
      "other.dns.gardener.cloud/compound",
    ]);
  });

  test("a restart of one writes nothing of the other", async () => {
    await one.hasNothingToDo();
    await other.hasNothingToDo();
    const before = [
      await versionsOf("dnse", ["mine", "theirs"]),
      await versionsOf("dnspr", ["net", "net2"]),
      await versionsOf("secret", ["net", "net2"]),
    ];
    await other.restart();
    await other.hasNothingToDo();
    await one.restart();
    await one.hasNothingToDo();
    expect([
      await versionsOf("dnse", ["mine", "theirs"]),
      await versionsOf("dnspr", ["net", "net2"]),
      await versionsOf("secret", ["net", "net2"]),
    ]).toEqual(before);
    for (const [index, label] of ["mine", "theirs", "web", "web2"].entries())
      expect(await zone.answers(label)).toEqual([`192.0.2.${index + 1}`]);
  });

  test("a name that the other publishes is refused and stays", async () => {
    const { user } = session;
    await user.apply(entryOf("late", "192.0.2.9", {}, "theirs"));
    expect(
      await user.becomes("dnse", "late", "Error", /owned by group-two|"group-two"/),
    ).toBeTruthy();
    expect(await zone.answers("theirs")).toEqual(["192.0.2.2"]);
    await user.delete("dnse", "late");
    expect(await zone.answers("theirs")).toEqual(["192.0.2.2"]);
    await user.becomes("dnse", "theirs", "Ready");
  });

  test("an entry of a class that nobody serves says so and keeps its record; back again it is Ready", async () => {
    const { user } = session;
    await user.apply(entryOf("mine", "192.0.2.1", { "dns.gardener.cloud/class": "nobody" }));
    await user.becomes(
      "dnse",
      "mine",
      "Stale",
      /its class is nobody, .* does not serve that class/,
    );
    const { metadata, status } = await read("dnse", "mine");
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "False", reason: "NotSelected" }),
    );
    expect(metadata.finalizers ?? []).toEqual([]);
    await user.rests("dnse");
    await one.restart();
    expect(await zone.answers("mine")).toEqual(["192.0.2.1"]);
    await user.kubectl.ok(["annotate", "dnse", "mine", "dns.gardener.cloud/class-"]);
    await user.becomes("dnse", "mine", "Ready");
    await user.apply(entryOf("mine", "192.0.2.11"));
    await zone.becomes("mine", "A", "192.0.2.11");
    await user.apply(entryOf("mine", "192.0.2.1"));
    await zone.becomes("mine", "A", "192.0.2.1");
  });

  test("an entry that goes to the other set has its record there without a gap, and back again", async () => {
    const { user } = session;
    const handedOver = async (owner: string, finalizer: string, address: string) => {
      await eventually(
        `the record is that of ${owner}`,
        async () => {
          expect(await zone.answers("mine")).toHaveLength(1);
          return zone.content();
        },
        (lines) =>
          lines.some((line) => /mine\..*TXT/.test(line) && line.includes(`owner=${owner},`)),
      );
      await zone.becomes("mine", "A", address);
      await user.becomes("dnse", "mine", "Ready");
      await eventually(
        "the other set has let it go",
        async () => (await read("dnse", "mine")).metadata.finalizers ?? [],
        (finalizers) => finalizers.join() === finalizer,
      );
      await user.rests("dnse");
      expect((await zone.content()).filter((line) => line.includes("_permit"))).toEqual([]);
    };
    await user.apply(entryOf("mine", "192.0.2.12", CLASS));
    await handedOver("group-two", "other.dns.gardener.cloud/compound", "192.0.2.12");
    await user.apply(entryOf("mine", "192.0.2.1"));
    await user.kubectl
      .ok(["annotate", "dnse", "mine", "dns.gardener.cloud/class-"])
      .catch(() => "");
    await handedOver("group-one", "dns.gardener.cloud/compound", "192.0.2.1");
  });

  test("a Service whose entry got another class is told, and its entry follows it again", async () => {
    const { user } = session;
    const made = (await user.list("dnse")).find(
      ({ spec }) => spec?.["dnsName"] === zone.name("web"),
    );
    const name = made?.metadata.name ?? "";
    await user.kubectl.ok(["annotate", "dnse", name, "dns.gardener.cloud/class=nobody"]);
    await user.reported("Service", "web", /is of class nobody, and gardendns is wanted/);
    await user.balance("svc", "web", "192.0.2.33");
    await user.rests("dnse", "events");
    expect(await zone.answers("web")).toEqual(["192.0.2.3"]);
    await user.kubectl.ok(["annotate", "dnse", name, "dns.gardener.cloud/class-"]);
    await zone.becomes("web", "A", "192.0.2.33");
    await user.balance("svc", "web", "192.0.2.3");
    await zone.becomes("web", "A", "192.0.2.3");
  });

  test("a Service that goes to the other set has its entry and its record there", async () => {
    const { user } = session;
    const move = (annotations: object) =>
      user.apply(service("web", zone.name("web"), { annotations }));
    await move(CLASS);
    await eventually(
      "the record is the other set's",
      () => zone.content(),
      (lines) => lines.some((line) => /web\..*external-dns\/owner=group-two/.test(line)),
    );
    await zone.becomes("web", "A", "192.0.2.3");
    const entries = await user.list("dnse");
    const made = entries.filter(({ spec }) => spec?.["dnsName"] === zone.name("web"));
    expect(made.map(({ metadata }) => metadata.annotations)).toEqual([
      expect.objectContaining(CLASS),
    ]);
    await user.rests("dnse");
  });

  test("while one is down the other goes on, and deletes only what is its own", async () => {
    const { user } = session;
    await one.stop();
    await user.apply(entryOf("theirs", "192.0.2.22", CLASS));
    await zone.becomes("theirs", "A", "192.0.2.22");
    await user.delete("svc", "web2");
    await zone.becomes("web2", "A");
    await user.kubectl.ok(["delete", "dnse", "mine", "--wait=false"]);
    await other.restart();
    await other.hasNothingToDo();
    expect(await zone.answers("mine")).toEqual(["192.0.2.1"]);
    expect((await read("dnse", "mine")).metadata.finalizers).toEqual([
      "dns.gardener.cloud/compound",
    ]);
    await one.begin();
    await one.ready();
    await zone.becomes("mine", "A");
    await eventually(
      "its object is gone",
      () => user.kubectl.run(["get", "dnse", "mine"]),
      ({ code }) => code !== 0,
    );
    expect(await zone.answers("theirs")).toEqual(["192.0.2.22"]);
    expect(await zone.answers("web")).toEqual(["192.0.2.3"]);
  });
});
