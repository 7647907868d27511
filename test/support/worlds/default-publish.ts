/** How a process publishes that is given no options. */
import type { PublishConfig } from "../../../src/config/publish-options.ts";
import type { EntryMarks } from "../../../src/model/generated-entries.ts";
import { DEFAULT_CLASSES } from "./default-classes.ts";

export const DEFAULT_MARKS: EntryMarks = { realms: null, ignoreOwners: true, labels: {} };

export const DEFAULT_PUBLISH: PublishConfig = {
  dnsClasses: DEFAULT_CLASSES,
  sourceClasses: DEFAULT_CLASSES,
  targetClass: DEFAULT_CLASSES[0],
  ttlSeconds: 300,
  policy: "sync",
  dryRun: false,
  noTargetsGraceMs: null,
  publishing: null,
  statusAnnotation: true,
  liveQueriesPerMinute: 0,
  lookupServers: [],
  excludedDomains: [],
  excludedTargetNets: [],
  serviceEntryNamespaces: [],
  blockedZones: [],
  allowsPrivateTargets: false,
  targetNamespace: null,
  marks: DEFAULT_MARKS,
  targetOwnerId: null,
  anyNamespace: false,
  pluginOptions: {},
};
