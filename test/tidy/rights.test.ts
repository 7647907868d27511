/**
 * One table makes the rights that the program asks for, the roles that are shipped, the rules of
 * the chart and the page: what is written is up to date, and has each rule once.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { OWN_DEFINITIONS } from "../../src/app/commands/run/definitions.ts";
import { rightRows } from "../../src/app/commands/run/right-rows.ts";
import { chartRules } from "../../tools/rights-pages/chart-rules.ts";
import { rightsPage } from "../../tools/rights-pages/rights-page.ts";
import { ROLE_FILES, roleText } from "../../tools/rights-pages/roles.ts";

const HINT = "run: npm run generate";
const ROWS = rightRows();

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

function rulesIn(path: string): readonly Rule[] {
  return parse(readFileSync(path, "utf8")).rules;
}

test("roles, rules of the chart and the page are those of the table", () => {
  for (const file of ROLE_FILES)
    expect(readFileSync(file.path, "utf8"), HINT).toBe(roleText(file, ROWS));
  const chart = readFileSync("deploy/chart/templates/_rights.tpl", "utf8");
  expect(chart, HINT).toBe(chartRules(ROWS));
  expect(readFileSync("docs/reference/rights.md", "utf8"), HINT).toBe(rightsPage(ROWS));
});

describe.each(ROLE_FILES)("$path", ({ path, part }) => {
  test("has each resource once, but for what is limited by name, and no verb twice", () => {
    const given = rulesIn(path).flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      resources.flatMap((one) =>
        verbs.map((verb) => [apiGroups.join(), one, (resourceNames ?? []).join(), verb].join(" ")),
      ),
    );
    expect(given).toHaveLength(new Set(given).size);
    const whole = rulesIn(path).filter(({ resourceNames }) => resourceNames === undefined);
    const resources = whole.map(({ apiGroups, resources }) => [apiGroups, resources].join(" "));
    expect(resources).toHaveLength(new Set(resources).size);
  });

  test("grants each right of its part", () => {
    for (const { kind, subresource, verbs } of ROWS.filter((row) => row.part === part)) {
      const resource = subresource === null ? kind.plural : `${kind.plural}/${subresource}`;
      const granted = rulesIn(path)
        .filter((rule) => rule.apiGroups.includes(kind.group) && rule.resources.includes(resource))
        .flatMap((rule) => rule.verbs);
      expect(granted, resource).toEqual(expect.arrayContaining([...verbs]));
    }
  });
});

test("what changes or deletes objects of Kubernetes itself is limited by name, where names are fixed", () => {
  const definitions = rulesIn("deploy/rbac/clusterrole.yaml").filter(({ resources }) =>
    resources.includes("customresourcedefinitions"),
  );
  expect(definitions.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual(OWN_DEFINITIONS);
  const elsewhere = ROLE_FILES.filter(({ part }) => part !== "lease").flatMap(({ path }) =>
    rulesIn(path).flatMap(({ resources }) => resources),
  );
  expect(elsewhere).not.toContain("configmaps");
  expect(elsewhere).not.toContain("leases");
});
