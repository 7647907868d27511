/**
 * The source `dnsentry-source`: DNSEntries that are copied to another cluster, or to another class
 * of the same one (Gardener external-dns-management). The copy is an entry like any other: markers
 * name it, and not what it was copied from.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { annotationRow } from "../../model/annotation-keys.ts";
import { classOf, finalizerOf } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { annotationField } from "../shared/annotations.ts";
import { listsNames } from "../shared/found.ts";
import type { SourceFunctions, SourceOptions } from "../source.ts";
import { dnsEntry } from "./dnsentry.ts";

/** Reads an entry as `dnsentry` does. */
export function copiedEntry(options: SourceOptions): SourceFunctions {
  const source = dnsEntry(options, []);
  return {
    endpoints: (object, view) => {
      const found = source.endpoints(object, view);
      // By itself, as its finalizer says: there its annotations have their effect.
      const isPublished =
        object.metadata.finalizers?.includes(finalizerOf(classOf(object))) === true;
      if (!listsNames(found) || isPublished) return found;
      return { ...found, problems: [...found.problems, ...remarksOn(object)] };
    },
  };
}

/**
 * What concerns how an entry is published is asked of its copy, by who may write that: an owner of
 * entries here may not lift limits there.
 */
function remarksOn(object: KubeObject): readonly Problem[] {
  const subject = resourceOf(objectKeyOf(object, ""));
  const asked = Object.entries(object.metadata.annotations ?? {}).flatMap(([key, value]) =>
    value.trim() !== "" && annotationRow(key)?.onCopy === true ? key : [],
  );
  return asked.map((key) => ({
    code: "Unsupported",
    subject: `${subject} ${key}`,
    message: "has no effect on a DNSEntry that is copied: annotate its copy",
    field: annotationField(key),
  }));
}
