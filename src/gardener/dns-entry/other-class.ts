/** Decides what an entry shows whose class is no longer one of this process. Pure. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { classOf, isFinalizer } from "../../model/dns-class.ts";
import type { Entry } from "./entry.ts";

/** True = controllers of another class have set their finalizer: they write its status. */
export function isServedByOthers({ object, finalizers }: Entry): boolean {
  const present = object.metadata.finalizers ?? [];
  return present.some((one) => isFinalizer(one) && !finalizers.includes(one));
}

/** The message of its status until controllers of its class write another one. */
export function leftText(object: KubeObject): string {
  return `its class is ${classOf(object)}, and the program that published it does not serve that class: its records stay as they are; give it its former class again, or start a program for class ${classOf(object)}`;
}
