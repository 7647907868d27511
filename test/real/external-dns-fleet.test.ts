/**
 * Ten deployments of external-dns, their objects and their zones in BIND as external-dns 0.22 left
 * them: a shadow sends nothing, moving in changes nothing, one change changes what it says, and
 * external-dns has nothing to do afterwards. dig and whole transfers are the judges. CI has zones
 * that were recorded, and one process for all; where EXTERNAL_DNS_BIN names an external-dns, each
 * has its own, and that program writes the zones first (EXTERNAL_DNS_RECORD=1 keeps them) and last.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HttpsCaller } from "../support/api-servers/https-caller.ts";
import { type AuditedRequest, startControlPlane } from "../support/clients/control-plane-server.ts";
import { transfer } from "../support/clients/dig.ts";
import { DEPLOYED, type Deployed } from "../support/fleet/deployments.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run, runOk } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";
import { RealZone } from "../support/values/real-zone.ts";

const { EXTERNAL_DNS_BIN: bin, EXTERNAL_DNS_RECORD: isRecording } = process.env;
const RECORDED = new URL("../support/fleet/zones.json", import.meta.url);
const ZONES = [...new Set(DEPLOYED.flatMap(({ zones }) => zones))];
const LONGEST = [...ZONES].sort((a, b) => b.length - a.length);
const REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/** By title, lines of a zone file with whole names. */
const recorded = JSON.parse(readFileSync(RECORDED, "utf8")) as Record<string, readonly string[]>;
const stories: readonly (readonly [string, readonly Deployed[]])[] =
  bin === undefined ? [["all ten", DEPLOYED]] : DEPLOYED.map((one) => [one.title, [one]]);

describeReal(
  "a fleet of external-dns",
  ["kubectl-1.32", "dig", "bind", "released-definitions"],
  () => {
    let folder: TempFolder;
    let server: RealServer;
    let session: RunSession;
    let caller: HttpsCaller;
    let kubeconfig: string;
    const zones = new Map<string, RealZone>();
    const audit: AuditedRequest[] = [];
    const paths = new Map<string, string>();

    const providerArgs = (of: Deployed): readonly string[] => [
      ...["--provider=rfc2136", `--rfc2136-host=${server.host}`, `--rfc2136-port=${server.port}`],
      ...of.zones.map((zone) => `--rfc2136-zone=${zone}`),
      ...[`--rfc2136-tsig-keyname=${server.key.name}`, "--rfc2136-tsig-axfr"],
      ...[`--rfc2136-tsig-secret=${server.key.secretBase64}`],
      `--rfc2136-tsig-secret-alg=${server.key.algorithm}`,
    ];
    const ofZone = (name: string): RealZone => {
      const zone = zones.get(name);
      if (zone === undefined) throw new Error(`no zone ${name}`);
      return zone;
    };
    const isFence = (line: string): boolean => line.includes("_zonekeeper-fence");
    const transferred = async (of: readonly Deployed[]) => {
      const names = [...new Set(of.flatMap((one) => one.zones))];
      return (await Promise.all(names.map((one) => ofZone(one).content()))).flat();
    };
    const contents = async (of: readonly Deployed[]) =>
      (await transferred(of)).filter((line) => !isFence(line));
    const serials = () => Promise.all([...zones.values()].map((zone) => zone.serial()));

    /** One run of the real one; what it says. */
    const externalDns = (of: Deployed): Promise<string> =>
      runOk(bin ?? "", [
        ...of.args.filter((one) => !one.startsWith("--metrics-address")),
        ...[...providerArgs(of), ...(of.demanded ?? []), "--once"],
        ...["--annotation-prefix=external-dns.alpha.kubernetes.io/"],
        ...[`--kubeconfig=${session.kubeconfig}`, "--metrics-address=127.0.0.1:0"],
      ]);
    const linesOf = async (name: string): Promise<readonly string[]> => {
      const records = await transfer({ port: server.port, name, key: server.key });
      return records
        .filter((one) => !["SOA", "NS"].includes(one.type) && !one.name.startsWith("ns1."))
        .map((one) => `${one.name} ${one.ttlSeconds} ${one.type} ${one.rdata}`);
    };
    /** What it leaves, by itself or by the record. */
    const written = async (of: Deployed): Promise<void> => {
      if (bin === undefined) {
        for (const zone of of.zones) {
          const lines = (recorded[of.title] ?? []).filter((one) =>
            one.split(" ", 1)[0]?.endsWith(`${zone}.`),
          );
          await ofZone(zone).foreignWriter(...lines.map((one) => `update add ${one}`));
        }
      } else {
        const before = new Set((await Promise.all(of.zones.map(linesOf))).flat());
        await externalDns(of);
        if (of.isLegacy === true) await asBefore(of);
        const lines = (await Promise.all(of.zones.map(linesOf))).flat();
        recorded[of.title] = lines.filter((line) => !before.has(line)).sort();
        if (isRecording === "1") writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
      }
      const [first = ""] = of.zones;
      const lines = of.kept.map((line) => `update add ${line.replace(" ", `.${first}. `)}`);
      if (lines.length > 0) await ofZone(first).foreignWriter(...lines);
    };
    /** Markers where external-dns up to v0.11 had them. */
    const asBefore = async (of: Deployed): Promise<void> => {
      const [zone = ""] = of.zones;
      const markers = (await linesOf(zone)).filter((one) => / TXT "heritage/.test(one));
      const moves = markers.flatMap((one) => [
        `update delete ${one.split(" ", 1)[0]} TXT`,
        `update add ${one.replace(/^a-/, "")}`,
      ]);
      await ofZone(zone).foreignWriter(...moves);
    };

    beforeAll(async () => {
      folder = makeTempFolder("fleet");
      const [zone = "", ...moreZones] = ZONES;
      server = await startBind({ zone, moreZones });
      for (const one of ZONES)
        zones.set(one, new RealZone({ ...server, key: server.key, port: server.port, zone: one }));
      const api = await startControlPlane((request) => void audit.push(request));
      session = await RunSession.open(async () => api);
      kubeconfig = api.kubeconfigOf("controller");
      caller = HttpsCaller.open(api.url, { caFile: api.caFile, token: api.tokenOf("admin") });
      const { kubectl } = session.user;
      const gatewayFiles = ["gateways", "httproutes", "tlsroutes", "listenersets"].flatMap(
        (one) => [
          "-f",
          join(
            definitionsPath(),
            "gateway-api-1.7.0-standard",
            `gateway.networking.k8s.io_${one}.yaml`,
          ),
        ],
      );
      const endpoints = resolve("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml");
      await kubectl.ok(["create", "-f", endpoints, ...gatewayFiles]);
      const istio = ["gateways", "virtualservices"].map(istioDefinition);
      await kubectl.ok(["create", "-f", "-"], istio.join("\n---\n"));
      await kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
      for (const { apiVersion, kind, name, rest, status } of DEPLOYED.flatMap(
        (one) => one.objects,
      )) {
        const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
        const plural = `${kind.toLowerCase()}${kind.endsWith("s") ? "es" : "s"}`;
        const collection = `${root}/namespaces/default/${plural}`;
        const { metadata = {}, ...fields } = rest as { readonly metadata?: object };
        await caller.json("POST", collection, {
          ...{ apiVersion, kind, metadata: { name, namespace: "default", ...metadata } },
          ...fields,
        });
        const path = `${collection}/${name}`;
        if (status !== null) await caller.patch(`${path}/status`, { status });
        paths.set(`${kind}/${name}`, path);
      }
    });
    afterAll(async () => {
      caller?.close();
      await session?.close();
      await server?.stop();
      folder?.remove();
    });

    /** Of one process: the arguments of one, or a file for each. */
    const argsOf = (fleet: readonly Deployed[]): readonly string[] => {
      const [only] = fleet;
      if (only !== undefined && fleet.length === 1)
        return [...only.args.filter((one) => !one.startsWith("--metrics")), ...providerArgs(only)];
      return fleet.flatMap((of, at) => {
        const path = join(folder.path, `number-${at + 1}.yaml`);
        writeFileSync(path, JSON.stringify([...of.args, ...providerArgs(of)]));
        return ["--set", path];
      });
    };
    const changeOf = async ({ change: { object, patch } }: Deployed): Promise<void> => {
      const path = `${paths.get(object)}${"status" in patch ? "/status" : ""}`;
      await caller.patch(path, patch);
    };

    test.each(stories)(
      "%s: a shadow, the move, one change, and the way back",
      async (_, fleet) => {
        for (const one of fleet) await written(one);
        const before = await contents(fleet);
        const first = await serials();
        const args = argsOf(fleet);

        const command = [PROGRAM, "shadow", "--kubeconfig", kubeconfig, ...args, "--output=json"];
        const shadow = await run(process.execPath, command, { timeoutMs: 180_000 });
        const seen = [JSON.parse(shadow.stdout)].flat() as readonly { readonly verdict: string }[];
        expect([shadow.code, seen.map(({ verdict }) => verdict)], shadow.stdout).toEqual([
          0,
          fleet.map(() => "equal"),
        ]);
        expect(audit.filter(isWrite)).toEqual([]);
        expect(await serials()).toEqual(first);

        const instance = await session.run("", "--dialect=external-dns", ...args);
        try {
          await worked(fleet, instance, before);
        } finally {
          await instance.stop();
        }
        expect(instance.output()).not.toContain(server.key.secretBase64);

        if (bin === undefined) return;
        const last = { serials: await serials(), lines: await contents(fleet) };
        for (const one of fleet) await externalDns(one);
        const isLegacy = fleet.some((one) => one.isLegacy === true);
        // Beside markers of v0.11 it writes typed ones, whoever was here before.
        const isTyped = (line: string): boolean => /^a-\S+ TXT "heritage/.test(line);
        const left = (await contents(fleet)).filter((line) => !isLegacy || !isTyped(line));
        expect(left).toEqual(last.lines);
        if (!isLegacy) expect(await serials()).toEqual(last.serials);
      },
      400_000,
    );

    /** A marker that is written again names the cluster, and an encrypted one has a new nonce. */
    const comparable = (line: string): string =>
      line
        .replace(/external-dns\/cluster=[^,"]*,/, "")
        .replace(/ TXT ("[\w+/=]{40,}" ?)+$/, " TXT encrypted");

    /** Orphans alone are held. */
    const idle = async (instance: RunInstance, fleet: readonly Deployed[]): Promise<void> => {
      const held = fleet.filter(({ hasOrphan }) => hasOrphan === true).length;
      if (held === 0) return instance.hasNothingToDo();
      await eventually(
        "orphans alone are held",
        () => instance.cli("plan"),
        ({ stdout }) => stdout.includes(`Plan: 0 changes, ${held} held`) && !stdout.includes("?"),
        150_000,
      );
    };
    /** Moves in, and follows one change of each. */
    const worked = async (
      fleet: readonly Deployed[],
      instance: RunInstance,
      before: readonly string[],
    ): Promise<void> => {
      await idle(instance, fleet);
      expect(await contents(fleet)).toEqual(before);
      for (const one of fleet) await changeOf(one);
      const changed = fleet.flatMap((one) => one.changed);
      for (const [, to] of changed) {
        const [name = "", type = "", rdata = ""] = to.split(" ");
        const zone = LONGEST.find((one) => name.endsWith(`.${one}.`)) ?? "";
        await ofZone(zone).becomes(name.slice(0, -zone.length - 2), type, rdata);
      }
      await idle(instance, fleet);
      const lines = new Map(changed);
      const wanted = before.map((line) => lines.get(line) ?? line);
      expect((await contents(fleet)).map(comparable)).toEqual(wanted.map(comparable));
      // Each owner id has its own in each zone, also where two share one.
      const fences = (await transferred(fleet)).filter(isFence);
      expect(fences).toHaveLength(fleet.flatMap(({ zones: of }) => of).length);
    };

    const isWrite = ({ user, method, path }: AuditedRequest): boolean =>
      user === "controller" && method !== "GET" && path !== REVIEW;
  },
);
