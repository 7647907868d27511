/** `--import` and what belongs to it. */
import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { resolveOptions } from "./resolve-options.ts";
import { toRunConfig } from "./run-config.ts";

function config(given: Readonly<Record<string, string>>) {
  const flags = { owner: "me", ...given };
  const input = { command: "run", flags, environment: {}, file: null } as const;
  const resolved = resolveOptions({ ...input, plugIns: PLUG_INS });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return toRunConfig(resolved.value);
}

const refused = (given: Readonly<Record<string, string>>): readonly string[] => {
  const read = config(given);
  return read.ok ? [] : read.error.map(({ subject, message }) => `${subject}: ${message}`);
};

test("zones by name and by id share ports and scope", () => {
  const read = config({
    import: "Example.org.=mesh,/hostedzone/Z1=other",
    "import-ports": "https/443,tcp-pg/5432",
    "import-domains": "in.example.org",
    "import-exclude": "x.in.example.org",
  });
  const ports = [
    { name: "https", number: 443, protocol: "HTTPS" },
    { name: "tcp-pg", number: 5432, protocol: "TCP" },
  ];
  const shared = { ports, domains: ["in.example.org"], excluded: ["x.in.example.org"] };
  expect(read.ok && read.value.imports).toEqual([
    { zone: "example.org", namespace: "mesh", ...shared },
    { zone: "/hostedzone/Z1", namespace: "other", ...shared },
  ]);
});

test("what cannot be read is named, with the remedy", () => {
  expect(refused({ import: "example.org" })).toEqual([
    '--import: "example.org" is not ZONE=NAMESPACE; write example.org=mesh-import',
  ]);
  expect(refused({ import: "example.org=Mesh_1" })[0]).toMatch(/^--import: .*Mesh_1/);
  expect(refused({ import: "a.org=m,a.org=n" })).toEqual([
    "--import: the zone a.org is there twice; write it once",
  ]);
  expect(refused({ import: "a.org=m", "import-ports": "443,x/0" })).toEqual([
    '--import-ports: "443" is not NAME/PORT; write https/443 or tcp-pg/5432',
    '--import-ports: "x/0" is not NAME/PORT; write https/443 or tcp-pg/5432',
  ]);
  expect(refused({ import: "a.org=m", "import-ports": "a/1,b/1" })).toEqual([
    "--import-ports: the number of a port 1 is there twice; write it once",
  ]);
  expect(refused({ "import-ports": "https/443" })).toEqual([
    "--import-ports: nothing is imported; write --import ZONE=NAMESPACE, too",
  ]);
});
