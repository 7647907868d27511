/** Options of the fuse (Z-16): rows of the table. */
import { FUSE_LIMITS } from "../model/fuse-limits.ts";
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const BOTH: readonly CommandName[] = ["dev", "run"];

const count = (row: Pick<Option, "name" | "default" | "doc"> & Partial<Option>): Option =>
  option({ type: "integer", min: 0, max: 1_000_000_000, commands: BOTH, ...row });

const share = (name: string, part: number, doc: string): Option =>
  count({ name, default: String(Math.round(100 * part)), unit: "percent", max: 100, doc });

/** In the order of the help text. */
export const FUSE_OPTIONS: readonly Option[] = [
  count({
    name: "fuse-strong",
    default: String(FUSE_LIMITS.strong),
    defaultFor: { dev: "1000" },
    doc: "The fuse trips above so many removals of an hour, in a zone and in a namespace; where the share below is more, above that.",
  }),
  share(
    "fuse-strong-share",
    FUSE_LIMITS.strongShare,
    "The part of a zone's record sets, at the start of the hour, that may be removed in an hour.",
  ),
  share(
    "fuse-namespace-share",
    FUSE_LIMITS.namespaceShare,
    "The part of a namespace's record sets that may be removed in an hour.",
  ),
  count({
    name: "fuse-weak",
    default: String(FUSE_LIMITS.weak),
    doc: "As --fuse-strong, for removals whose cause was not watched, such as an object that is missing after a restart.",
  }),
  share(
    "fuse-weak-share",
    FUSE_LIMITS.weakShare,
    "The part of a zone's record sets that may be removed so in an hour.",
  ),
  count({
    name: "fuse-free",
    default: String(FUSE_LIMITS.free),
    doc: "A namespace with no more removals in the hour passes although its zone trips, while fewer than ten namespaces remove.",
  }),
  option({
    name: "fuse-whole-kind",
    type: "flag",
    default: String(FUSE_LIMITS.holdsWholeKinds),
    defaultFor: { dev: "false" },
    doc: "Where three or more objects that are all of their kind in a cluster are deleted within ten seconds, and not with their namespace, removals that are not sent when the last of them ends wait as a set; no deletion waits for later ones. false = they count as others.",
    commands: BOTH,
  }),
  option({
    name: "fuse-ephemeral-namespaces",
    type: "list",
    doc: "Namespaces of previews, by name; * at the end stands for any rest, as in pr-*. Removals there whose cause was watched are not counted. Default: none.",
    commands: BOTH,
  }),
];
