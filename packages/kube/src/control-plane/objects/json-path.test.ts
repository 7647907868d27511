import { expect, test } from "vitest";
import { cellAt } from "./json-path.ts";

const OBJECT = {
  metadata: { labels: { "app.kubernetes.io/name": "web" } },
  spec: { ports: [{ port: 80 }, { port: 443, tls: true }] },
  status: {
    conditions: [
      { type: "Accepted", status: "True" },
      { type: "Ready", status: "False", reason: "Slow" },
    ],
  },
};

test.each<[string, unknown]>([
  ['.status.conditions[?(@.type=="Accepted")].status', "True"],
  [".status.conditions[?(@.type == 'Ready')].status", "False"],
  ['.status.conditions[?( @.type!="Ready" )].status', "True"],
  ['.status.conditions[?(@.type=="Gone")].status', null],
  [".status.conditions[?(@.reason)].type", "Ready"],
  [".spec.ports[?(@.port==443)].tls", true],
  [".spec.ports[?(@.tls==true)].port", 443],
  [".spec.ports[*].port", "80,443"],
  [".spec.ports[1].port", 443],
  [".spec[?(@.port==443)].tls", null],
  [".metadata.labels.app\\.kubernetes\\.io/name", "web"],
  [".metadata.labels['app.kubernetes.io/name']", "web"],
  [".status.conditions[?(@.type>1)].status", null],
  [".a..b", null],
])("%s shows %j", (path, cell) => {
  expect(cellAt(OBJECT, path)).toBe(cell);
});
