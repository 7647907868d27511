import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { NO_CAUSE } from "../../controllers/objects/state-conditions.ts";
import { Outcomes } from "./outcomes.ts";

const OBJECT: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "default", generation: 1 },
};
const FINE = { troubles: [], remarks: [], isComplete: true, hasUnlisted: false, ...NO_CAUSE };

function outcomes(): Outcomes {
  return new Outcomes({ recorder: { record() {} }, reason: "DNS", isOpen: () => true });
}

test("names whose zones are not known yet are on their way, and no object without names", () => {
  const all = outcomes();
  all.read("default/web", OBJECT, { ...FINE, zones: [], hasNames: true });
  expect(all.factsOf("default/web", []).state).toBe("Pending");
  expect(all.lineOf("default/web", [])).toBeUndefined();
});

test("an object without names is told so, and names that nobody serves are", () => {
  const all = outcomes();
  all.read("default/web", OBJECT, { ...FINE, zones: [], hasNames: false });
  expect(all.factsOf("default/web", []).message).toBe("it has no name to publish");
  expect(all.lineOf("default/web", [])).toBeNull();
  const troubles = ["a.example.net: no DNSProvider"];
  all.read("default/web", OBJECT, { ...FINE, troubles, zones: [], hasNames: true });
  expect(all.lineOf("default/web", [])).toBe("Error: a.example.net: no DNSProvider");
});
