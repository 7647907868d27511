/**
 * `run` with a DNSProvider of type aws-route53: an entry is created, changed, retyped and deleted
 * with kubectl, and a fake of Route 53 shows what arrives.
 */
import { expect, test } from "vitest";
import { toRecordSet } from "../../src/providers/route53/convert.ts";
import { ROUTE53_SECRET } from "../support/fakes/route53/harness.ts";
import { FakeRoute53 } from "../support/fakes/route53/server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { object } from "../support/values/cluster-objects.ts";

describeReal("run and Route 53", ["kubectl-1.32"], () => {
  test("an entry is created, changed, retyped and deleted", async () => {
    const fake = new FakeRoute53();
    const endpoint = await fake.start();
    const zone = fake.addZone("Z1", "example.org");
    fake.addZone("Z2", "example.org", true);
    const session = await RunSession.open();
    const { user } = session;
    /** Data of the name; markers apart. */
    const published = (): string =>
      zone.sets
        .map((set) => toRecordSet(set, zone.id))
        .filter(({ name, type }) => name === "www.example.org" && type !== "TXT")
        .map(({ type, values }) => `${type} ${values.join(" ")}`)
        .join(", ");
    const becomes = (text: string): Promise<string> =>
      eventually(
        `www.example.org is ${text}`,
        async () => published(),
        (one) => one === text,
      );
    const entry = (...targets: readonly string[]): Promise<unknown> =>
      user.apply(
        object("DNSEntry", "www", { spec: { dnsName: "www.example.org", targets, ttl: 120 } }),
      );
    const writes = (): number => fake.takeCalls().filter(({ method }) => method === "POST").length;
    try {
      await user.apply(object("Secret", "aws", { stringData: ROUTE53_SECRET }));
      const providerConfig = { endpoint, zoneType: "public" };
      const spec = { type: "aws-route53", secretRef: { name: "aws" }, providerConfig };
      await user.apply(object("DNSProvider", "aws", { spec }));
      const instance = await session.run("group-one");
      const state = ["get", "dnspr", "aws", "-o", "jsonpath={.status.state} {.status.message}"];
      await eventually(
        "the DNSProvider is ready",
        () => user.kubectl.ok(state),
        (text) => text === "Ready provider operational",
      );
      await entry("192.0.2.1");
      await becomes("A 192.0.2.1");
      await user.kubectl.ok([
        "wait",
        "dnse/www",
        "--for=jsonpath={.status.state}=Ready",
        "--timeout=20s",
      ]);
      fake.takeCalls();
      await entry("192.0.2.2");
      await becomes("A 192.0.2.2");
      expect(writes(), "one change is one call that writes").toBe(1);
      await entry("lb.example.com");
      await becomes("CNAME lb.example.com");
      await user.kubectl.ok(["delete", "dnse", "www"]);
      await becomes("");
      expect(instance.output(), "words of the SDK about Node").not.toContain("NodeVersion");
    } finally {
      await session.close();
      await fake.stop();
    }
  });

  test("members of a routing policy come, change, change their kind and go", async () => {
    const fake = new FakeRoute53();
    const endpoint = await fake.start();
    const zone = fake.addZone("Z1", "example.org");
    const session = await RunSession.open();
    const { user } = session;
    const shown = (type: (one: string) => boolean): readonly string[] =>
      zone.sets
        .map((set) => toRecordSet(set, zone.id))
        .filter((set) => set.setIdentifier !== null && type(set.type))
        .map(({ setIdentifier, routingPolicy }) => {
          const parameters = Object.values(routingPolicy?.parameters ?? {}).join();
          return `${setIdentifier} ${routingPolicy?.type} ${parameters}`;
        })
        .sort();
    /** Data and markers have policies of one kind, as the API wants it for members of one name. */
    const become = (...members: readonly string[]): Promise<unknown> =>
      eventually(
        `the members are ${members}`,
        async () => [shown((type) => type !== "TXT"), shown((type) => type === "TXT")],
        ([data = [], markers = []]) =>
          data.join() === members.join() && kinds(markers) === kinds(members),
      );
    const kinds = (of: readonly string[]): string =>
      of.map((one) => one.split(" ").slice(0, 2).join(" ")).join();
    const member = (setIdentifier: string, type: string, parameters: object): Promise<unknown> =>
      user.apply(
        object("DNSEntry", setIdentifier, {
          spec: {
            dnsName: "www.example.org",
            targets: ["192.0.2.1"],
            routingPolicy: { type, setIdentifier, parameters },
          },
        }),
      );
    try {
      await user.apply(object("Secret", "aws", { stringData: ROUTE53_SECRET }));
      const spec = {
        type: "aws-route53",
        secretRef: { name: "aws" },
        providerConfig: { endpoint },
      };
      await user.apply(object("DNSProvider", "aws", { spec }));
      await session.run("group-one");
      await member("blue", "weighted", { weight: "10" });
      await member("green", "weighted", { weight: "90" });
      await become("blue weighted 10", "green weighted 90");
      await user.becomes("dnse", "blue", "Ready");
      await user.becomes("dnse", "green", "Ready");
      await member("blue", "weighted", { weight: "20" });
      await become("blue weighted 20", "green weighted 90");
      await member("blue", "latency", { region: "eu-west-1" });
      await member("red", "latency", { region: "us-east-1" });
      await member("green", "latency", { region: "eu-north-1" });
      await become("blue latency eu-west-1", "green latency eu-north-1", "red latency us-east-1");
      await user.becomes("dnse", "red", "Ready");
      await user.kubectl.ok(["delete", "dnse", "green"]);
      await become("blue latency eu-west-1", "red latency us-east-1");
      await user.kubectl.ok(["delete", "dnse", "blue", "red"]);
      await become();
    } finally {
      await session.close();
      await fake.stop();
    }
  });
});
