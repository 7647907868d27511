/**
 * Further source clusters, whose objects are published directly: rows of the table, and as they are
 * read. Pure.
 */
import { fail, ok } from "@zonekeeper/base/result";
import { namespaceName, type OptionReader, type ReadText } from "./option-reader.ts";
import { list, RUN, rows, text } from "./option-row.ts";

/** In the order of the help text. */
export const FURTHER_OPTIONS = rows(RUN, {
  "source-cluster": list(
    "Further source clusters, each as ID=FILE with a kubeconfig: their objects are published directly into the zones of the DNSProviders. ID is written into markers. Default: none.",
  ),
  "clusters-dir": text(
    "Folder of kubeconfigs of further source clusters, which come and go with their files; ID, ID.yaml and ID.kubeconfig are of the cluster ID. Default: none.",
  ),
  "clusters-namespace": text(
    'Namespace of the source cluster whose Secrets with the label istio/multiCluster: "true" have kubeconfigs of further source clusters, one a key. Default: none.',
  ),
  "config-cluster": text(
    "Id of the one cluster whose ServiceEntries are published; those of other clusters are only told in zonekeeper plan, and what they had published stays. Default: those of all.",
  ),
});

/** Where further source clusters come from. */
export interface FurtherConfig {
  /** In the order in which they were given. */
  readonly given: readonly { readonly id: string; readonly file: string }[];
  /** Path; null = none. */
  readonly folder: string | null;
  /** Null = Secrets are not read for it. */
  readonly namespace: string | null;
  /** The one whose ServiceEntries are published; null = those of all are. */
  readonly configCluster: string | null;
}

/** An id stands in markers, in Events and in metrics. */
export const CLUSTER_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** What is wrong with an id; ends a message. */
export const CLUSTER_ID_RULE =
  "is no cluster id: at most 63 letters, digits, dots, hyphens and underscores, the first and the last a letter or digit";

/** All of them. */
export function readFurther(reader: OptionReader): FurtherConfig {
  const given = reader.each("source-cluster", idAndFile);
  const twice = given.find(({ id }, index) => given.findIndex((one) => one.id === id) < index);
  if (twice !== undefined)
    reader.refuse("source-cluster", `"${twice.id}=${twice.file}": ${twice.id} is given twice`);
  return {
    given,
    folder: reader.options.text("clusters-dir"),
    namespace: reader.one("clusters-namespace", namespaceName),
    configCluster: reader.one("config-cluster", clusterId),
  };
}

const clusterId: ReadText<string> = (text) =>
  CLUSTER_ID.test(text) ? ok(text) : fail(`"${text}": ${CLUSTER_ID_RULE}`);

const idAndFile: ReadText<FurtherConfig["given"][number]> = (text) => {
  const at = text.indexOf("=");
  const [id, file] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (at < 0 || file === "")
    return fail(`"${text}": is not ID=FILE; write a cluster id and a path`);
  return CLUSTER_ID.test(id) ? ok({ id, file }) : fail(`"${id}": ${CLUSTER_ID_RULE}`);
};
