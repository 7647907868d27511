import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { DNS_ENTRY_CRD, DNS_PROVIDER_CRD } from "./gardener-crds.ts";
import { SERVED_KINDS } from "./index.ts";

const folder = new URL("../../../../deploy/crds/", import.meta.url).pathname;
const HEADER =
  "# Written from src/embedded/control-plane/kinds/gardener-crds.ts: change that, then run\n" +
  "#   npx vitest run --project unit -u src/embedded/control-plane/kinds/gardener-crds.test.ts\n";

describe.each([
  ["dnsproviders", DNS_PROVIDER_CRD],
  ["dnsentries", DNS_ENTRY_CRD],
])("deploy/crds %s", (plural, crd) => {
  const file = `${folder}dns.gardener.cloud_${plural}.yaml`;

  test("the file is what the table says", async () => {
    const text = HEADER + stringify(crd, { aliasDuplicateObjects: false, lineWidth: 100 });
    await expect(text).toMatchFileSnapshot(file);
    expect(parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(crd)));
  });

  test("the kind is served under its names", () => {
    const kind = SERVED_KINDS.find((each) => each.ref.plural === plural);
    expect(kind?.ref.group).toBe("dns.gardener.cloud");
    expect(kind?.shortNames).toEqual(crd.spec.names.shortNames);
    expect(`${kind?.ref.plural}.${kind?.ref.group}`).toBe(crd.metadata.name);
  });
});

describe("columns", () => {
  const shown = (plural: string): readonly string[] =>
    (SERVED_KINDS.find((each) => each.ref.plural === plural)?.columns ?? [])
      .filter((column) => column.priority === 0)
      .map((column) => column.name);

  test("are those of the Gardener README", () => {
    expect(shown("dnsproviders")).toEqual(["Name", "TYPE", "STATUS", "AGE"]);
    expect(shown("dnsentries")).toEqual(["Name", "DNS", "TYPE", "PROVIDER", "STATUS", "AGE"]);
  });
});
