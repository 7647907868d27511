/**
 * Stores what an external-dns sends to our webhook as DNSEndpoints, one object for each name, which
 * the source of DNSEndpoints publishes like any other. So a restart forgets nothing, and a name
 * ends when its object is seen to be deleted (ADR 0047).
 */
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import { apiVersionOf, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type {
  ClusterWriter,
  DeletePreconditions,
  ObjectRef,
} from "@zonekeeper/kube/ports/cluster-writer";
import { CLASS_ANNOTATION, classAnnotations, classOf } from "../../../model/dns-class.ts";
import { fingerprint64 } from "../../../model/fingerprint.ts";
import { DNS_ENDPOINT } from "../../../model/kinds.ts";
import { isSameJson } from "../../../model/same-json.ts";
import { endpointKey, type NameChange } from "./webhook-messages.ts";

/** On each object of a webhook; people must not edit it. */
const LABEL = "zonekeeper.dev/webhook";
/** Names that are written at a time: a client waits 15 s for all. */
const AT_ONCE = 8;
/** Tries of one name, where somebody else writes at the same time. */
const TRIES = 3;

/** Where the objects are. */
export interface EndpointObjectsOptions {
  readonly writer: Pick<ClusterWriter, "read" | "readAll" | "create" | "update" | "remove">;
  readonly namespace: string;
  /** Class of the objects, one that this program serves. */
  readonly dnsClass: string;
}

/** Methods throw OperationError when the cluster cannot be read or written. */
export class EndpointObjects {
  readonly #options: EndpointObjectsOptions;

  constructor(options: EndpointObjectsOptions) {
    this.#options = options;
  }

  /** Every endpoint, as it was sent. */
  async list(): Promise<readonly Fields[]> {
    const { writer, namespace } = this.#options;
    const objects = await writer.readAll(DNS_ENDPOINT, namespace);
    return objects.filter(isWebhooks).flatMap((object) => this.#itemsOf(object));
  }

  /** Each name whole or not at all; rejects with the first failure when all were tried. */
  async apply(changes: readonly NameChange[]): Promise<void> {
    const failures: unknown[] = [];
    const waiting = [...changes];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await this.#applyName(next).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failures.length > 0) throw failures[0];
  }

  async #applyName(change: NameChange): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#write(change);
      } catch (error) {
        const isRace =
          error instanceof OperationError && /^(Conflict|AlreadyExists)$/.test(error.code);
        if (attempt === TRIES || !isRace) throw error;
      }
  }

  async #write({ name, removed, written }: NameChange): Promise<void> {
    const { writer, namespace } = this.#options;
    const ref = { kind: DNS_ENDPOINT, namespace, name: `webhook-${fingerprint64(name)}` };
    const present = await writer.read(ref);
    if (present !== null && !isWebhooks(present))
      // The next try may find none.
      throw retryable(
        "AlreadyExists",
        `DNSEndpoint ${namespace}/${ref.name} exists without the label ${LABEL}, or is being deleted; delete it, or choose another --webhook-namespace`,
      );
    const replaced = new Set([...removed, ...written.map(({ key }) => key)]);
    const before = present === null ? [] : this.#itemsOf(present);
    const kept = before.filter((item) => !replaced.has(endpointKey(item)));
    const endpoints = [...kept, ...written.map(({ item }) => item)];
    if (isSameJson(endpoints, before)) return;
    if (endpoints.length === 0) await writer.remove(ref, seenAt(present));
    else if (present !== null)
      await writer.update(DNS_ENDPOINT, this.#withClass({ ...present, spec: { endpoints } }));
    else await writer.create(DNS_ENDPOINT, this.#withClass(newObject(ref, endpoints)));
  }

  /**
   * The endpoints in an object. An object of another class counts as empty, so that it is written
   * anew.
   */
  #itemsOf(object: KubeObject): readonly Fields[] {
    if (classOf(object) !== this.#options.dnsClass) return [];
    return (listOf(fieldsOf(object["spec"])["endpoints"]) ?? []).map(fieldsOf);
  }

  #withClass(object: KubeObject): KubeObject {
    const { [CLASS_ANNOTATION]: _, ...others } = object.metadata.annotations ?? {};
    const annotations = { ...others, ...classAnnotations(this.#options.dnsClass) };
    return { ...object, metadata: { ...object.metadata, annotations } };
  }
}

function newObject({ namespace, name }: ObjectRef, endpoints: readonly Fields[]): KubeObject {
  return {
    apiVersion: apiVersionOf(DNS_ENDPOINT),
    kind: DNS_ENDPOINT.kind,
    metadata: { name, namespace, labels: { [LABEL]: "true" } },
    spec: { endpoints },
  };
}

/** The object is deleted only as it was read. */
function seenAt(object: KubeObject | null): DeletePreconditions {
  const { uid, resourceVersion } = object?.metadata ?? {};
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function isWebhooks({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABEL] === "true" && metadata.deletionTimestamp === undefined;
}
