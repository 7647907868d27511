/**
 * A plug-in module of tests, as text of plain JavaScript: a registry to which every record but
 * those of an apex and its server is ours, and which breaks in one zone as a file says.
 */

import { LOOP } from "./broken-plugin.ts";

/** What the file of `--acme-registry-how` says, as JSON. */
export interface HowItBreaks {
  /** Apex of the zone in which it breaks. */
  readonly zone: string;
  readonly call: "open" | "read" | "prepare" | "confirm";
  readonly how: "works" | "throws" | "garbage" | "never" | "loops";
}

/** The module; its registry is `acme-all`. */
export const BROKEN_REGISTRY = `
import { readFileSync } from "node:fs";
const breaks = {
  throws: () => { throw new Error("no luck"); },
  garbage: () => [],
  never: () => new Promise(() => undefined),
  loops: () => { ${LOOP} },
};
const open = ({ owner, pluginOptions }) => ({ zone }) => {
  const calling = (call, answer) => {
    const how = JSON.parse(readFileSync(pluginOptions["acme-registry-how"], "utf8"));
    const isBroken = how.zone === zone.name && how.call === call;
    return isBroken && how.how !== "works" ? breaks[how.how]() : answer();
  };
  const labels = { owner, resource: "*" };
  const marker = { owner, resource: "*", cluster: null, labels, record: null, anyObject: true };
  const viewOf = (set) => ({
    name: set.name, type: set.type, setIdentifier: set.setIdentifier, data: set,
    marker: [zone.name, "ns1." + zone.name].includes(set.name) ? null : marker, contested: false,
  });
  return calling("open", () => ({
    format: "acme-all",
    read: async (sets) => calling("read", () => sets.map(viewOf)),
    affected: (name) => [name],
    related: (name) => [name],
    prepare: async ({ name, changes: keys }) => calling("prepare", () => {
      const changes = keys.flatMap(({ change }) => change === null ? [] : [change]);
      return { ok: true, group: { name, keys, changes, preconditions: [] } };
    }),
    confirm: async () => calling("confirm", () => undefined),
  }));
};
export const plugin = {
  api: 1,
  name: "acme-registry",
  callTimeoutMs: 300,
  options: [{ name: "acme-registry-how", type: "text", doc: "How it breaks.", required: true }],
  registries: [{ name: "acme-all", doc: "nowhere: all is ours", open }],
};
`;
