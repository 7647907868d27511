/**
 * `run --owner X` over a zone of BIND that external-dns kept with owner X: nothing is written, in
 * every form of marker names (issue 16 A). The records are written as external-dns's registry names
 * them (registry/txt of external-dns 0.22). dig, a full transfer and kubectl are the judges.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { stepsIn, unlike } from "../support/programs/documented-commands.ts";
import { GuideShell } from "../support/programs/guide-shell.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, object, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";

/** How external-dns was started, and where it puts the marker of `label` below the zone. */
interface MarkerForm {
  readonly flags: readonly string[];
  readonly marker: (type: string, first: string) => string;
}

const MARKER_FORMS: readonly MarkerForm[] = [
  { flags: [], marker: (type, first) => `${type}-${first}` },
  { flags: ["--txt-prefix=txt."], marker: (type, first) => `txt.${type}-${first}` },
  { flags: ["--txt-prefix=zz-"], marker: (type, first) => `zz-${type}-${first}` },
  { flags: ["--txt-suffix=-own"], marker: (type, first) => `${type}-${first}-own` },
  {
    flags: ["--txt-prefix=%{record_type}.own."],
    marker: (type, first) => `${type}.own.${first}`,
  },
  { flags: ["--txt-suffix=-%{record_type}"], marker: (type, first) => `${first}-${type}` },
  {
    flags: ["--txt-wildcard-replacement=any"],
    marker: (type, first) => `${type}-${first.replace("*", "any")}`,
  },
  {
    flags: ["--txt-prefix=txt.", "--txt-wildcard-replacement=wild"],
    marker: (type, first) => `txt.${type}-${first.replace("*", "wild")}`,
  },
];

/** A record of external-dns, and the object that its marker names. */
type Kept = readonly [label: string, type: "A" | "AAAA" | "CNAME", rdata: string, object: string];

const KEPT: readonly Kept[] = [
  ["www", "A", "192.0.2.1", "service/default/www"],
  ["www", "AAAA", "2001:db8::1", "service/default/www"],
  ["two.labels", "A", "192.0.2.2", "service/default/two"],
  ["*.wild", "A", "192.0.2.3", "service/default/wild"],
  ["other", "A", "192.0.2.4", "service/default/other"],
  ["old", "A", "192.0.2.5", "service/default/old"],
  ["shop", "A", "192.0.2.6", "ingress/default/shop"],
  ["gone", "A", "192.0.2.7", "service/default/gone"],
  ["point", "CNAME", "target.example.com.", "crd/default/point"],
];

/** Objects in our dialect, in external-dns's alone and with hosts alone; two have none. */
const names = (...labels: readonly string[]): string =>
  labels.map((label) => `${label}.${ZONE}`).join(",");
const SERVICE = { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] };
const hinted = (name: string, key: string): string =>
  object("Service", name, { metadata: { annotations: { [key]: names(name) } }, spec: SERVICE });
const backend = { service: { name: "echo", port: { number: 80 } } };
const hosts = (name: string): string =>
  object("Ingress", name, {
    spec: {
      rules: [{ host: names(name), http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    },
  });
const OBJECTS: readonly string[] = [
  service("www", names("www")),
  service("two", names("two.labels")),
  service("wild", names("*.wild")),
  hinted("other", "external-dns.kubernetes.io/hostname"),
  hinted("old", "external-dns.alpha.kubernetes.io/hostname"),
];

function linesOf({ marker }: MarkerForm, ttlSeconds: number): readonly string[] {
  return KEPT.flatMap(([label, type, rdata, resource]) => {
    const [first = "", ...rest] = label.split(".");
    const name = [marker(type.toLowerCase(), first), ...rest].join(".");
    const text = `heritage=external-dns,external-dns/owner=team,external-dns/resource=${resource}`;
    return [`${label} ${ttlSeconds} IN ${type} ${rdata}`, `${name} ${ttlSeconds} IN TXT "${text}"`];
  });
}

const NEEDS = ["kubectl-1.32", "dig", "bind"] as const;
/** No marker's name differs more from the usual one. */
const isFirst = ({ flags }: MarkerForm): boolean =>
  flags.length === 0 || flags.join().includes("wildcard-replacement=wild");

describeReal("run over a zone that external-dns kept", NEEDS, () => {
  arrives(MARKER_FORMS.filter(isFirst));

  test("a record that differs waits, as the guide to first contact shows it", async () => {
    const form = { flags: [], marker: (type: string, first: string) => `${type}-${first}` };
    const records = linesOf(form, 300).filter((line) => /^(?:a-)?www /.test(line));
    const zone = new RealZone(await startBind({ zone: ZONE, records }));
    const session = await RunSession.open();
    const shell = new GuideShell();
    try {
      await session.user.apply(
        together(account("ours", zone.server), service("www", names("www"))),
      );
      await session.user.balance("service", "www", "192.0.2.9");
      const instance = await session.run("team");
      const steps = stepsIn(readFileSync("docs/guides/first-contact.md", "utf8"), "");
      expect(steps.length).toBe(3);
      let hash = "";
      for (const { command, output } of steps) {
        const here = command.replace(/\b[0-9a-f]{16}\b/, hash);
        const say = async (): Promise<string> => {
          const { stdout, stderr } = await shell.run({ session, instance }, here);
          return `${stdout}${stderr}`;
        };
        const seen = await eventually(here, say, (text) => unlike(output, text) === null);
        hash = /zonekeeper approve (\w{16}) /.exec(seen)?.[1] ?? hash;
      }
      await zone.becomes("www", "A", "192.0.2.9");
    } finally {
      shell.close();
      await session.close();
      await zone.server.stop();
    }
  });
});

describeReal("run over a zone of another form of names", [...NEEDS, "variants"], () =>
  arrives(MARKER_FORMS.filter((form) => !isFirst(form))),
);

function arrives(forms: readonly MarkerForm[]): void {
  test.each(
    forms.map((form, index): [string, MarkerForm, number] => [
      form.flags.join(" ") || "default",
      form,
      index % 2 === 0 ? 0 : 300,
    ]),
  )(
    "%s: nothing changes, and it is said what waits and why",
    async (_, form, ttlSeconds) => {
      const zone = new RealZone(
        await startBind({ zone: ZONE, records: linesOf(form, ttlSeconds) }),
      );
      const session = await RunSession.open();
      try {
        const { user } = session;
        const before = await zone.content();
        await user.apply(together(...OBJECTS));
        await user.apply(hosts("shop"));
        await user.balance("service", "www", "192.0.2.1", "2001:db8::1");
        await user.balance("service", "two", "192.0.2.2");
        await user.balance("service", "wild", "192.0.2.3");
        await user.balance("service", "other", "192.0.2.4");
        await user.balance("service", "old", "192.0.2.5");
        await user.balance("ingress", "shop", "192.0.2.6");
        const flags = [...form.flags, "--controllers", "compound,service-dns,ingress-dns"];
        const instance = await session.run("team", ...flags);
        await user.apply(account("ours", zone.server));
        await user.becomes("dnspr", "ours", "Ready");
        await eventually(
          "the orphans are listed, with the dialect that names them",
          async () => (await instance.cli("ownership", "orphans")).stdout,
          (text) =>
            [
              /other.* in the annotation external-dns\.kubernetes\.io\/hostname/,
              /old.* in the annotation external-dns\.alpha\.kubernetes\.io\/hostname/,
              /shop.* in spec\.rules/,
              /gone.*no such object exists here/,
              /point.*crd\/default\/point/,
            ].every((row) => row.test(text)),
        );
        const { code, stdout } = await instance.cli("plan");
        expect(code).toBe(2);
        expect(stdout).toContain("Plan: 0 changes, 5 held");
        expect(stdout).toContain("Held: 4 Orphan.");
        expect(stdout).toContain("Held: 1 KindGone.");
        expect(stdout).toContain("2 services and 1 ingress have names for external-dns only");
        const events = await user.kubectl.ok(["get", "events"]);
        expect(events).toMatch(/service\/old +old\.example\.net: named in the annotation/);
        expect(events).toMatch(/ingress\/shop +shop\.example\.net: named in spec\.rules/);
        const preview = await instance.cli(
          ...["ownership", "export", "--for", "external-dns", ...form.flags],
        );
        expect(preview.code).toBe(2);
        const removed = preview.stdout.match(/\S+ (?=(?:A|AAAA): external-dns removes it)/g) ?? [];
        const unnamed = ["*.wild", "gone", "two.labels", "www", "www"];
        expect(removed).toEqual(unnamed.map((label) => `${label}.${ZONE} `));
        expect(preview.stdout.split("\n")).toHaveLength(1 + removed.length + 1);
        await instance.restart();
        await user.becomes("dnspr", "ours", "Ready");
        await eventually(
          "the entries are Ready",
          () => user.kubectl.ok(["get", "dnse"]),
          (text) => (text.match(/Ready/g) ?? []).length >= 3,
        );
        const after = (await zone.content()).filter((line) => !line.includes("_zonekeeper-fence"));
        expect(after).toEqual(before);
      } finally {
        await session.close();
        await zone.server.stop();
      }
    },
    120_000,
  );
}
