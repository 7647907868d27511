/**
 * Two API servers of one cluster, of which one hears of everything late, behind one address. Lists
 * that ask for the most recent state are answered by the one that has it, as kube-apiserver does by
 * a quorum read; lists that allow any version, and watches, by either (Kubernetes API concepts,
 * "Resource versions").
 */
import type { HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { FakeApiServer } from "../../support/ports/fake-api-server.ts";
import type { SimRandom } from "./sim-random.ts";

const NAMESPACE = "default";

/** Both. One write after the other; both give the same versions and UIDs. */
export class TwoServers {
  readonly #random: SimRandom;
  readonly #present = new FakeApiServer([SERVICE]);
  readonly #behind = new FakeApiServer([SERVICE]);
  /** Not a single server keeps what it promises: lists of the most recent state may be old, too. */
  readonly #isBroken: boolean;
  /** Writes that the second one has not heard of. */
  #unheard: ((server: FakeApiServer) => void)[] = [];
  #version = 0;

  constructor(random: SimRandom, isBroken: boolean) {
    this.#random = random;
    this.#isBroken = isBroken;
    for (const server of [this.#present, this.#behind]) server.streamsLists = false;
  }

  readonly handler = (request: HttpRequest): Promise<HttpResponse> => {
    const { searchParams: query } = new URL(request.path, "http://servers");
    const asked = query.get("resourceVersion");
    const isAny = query.get("watch") === "true" || asked === "0";
    const isOldEnough = !isAny && asked !== null && Number(asked) <= this.#lastVersion;
    const mayBeOld = isAny || isOldEnough || (this.#isBroken && asked === null);
    if (mayBeOld && this.#random.chance(0.5)) return this.#behind.handler(request);
    return this.#present.handler(request);
  };

  /** Creates or changes an object. */
  put(name: string): void {
    this.#write((server) => void server.put(SERVICE, NAMESPACE, { name }));
  }

  /** Deletes an object; there must be one. */
  remove(name: string): void {
    this.#write((server) => server.remove(SERVICE, NAMESPACE, name));
  }

  /** UID of an object as the cluster has it now; null = there is none. */
  uidOf(name: string): string | null {
    const found = this.#present
      .objects(SERVICE)
      .map((body) => body["metadata"] as { readonly name: string; readonly uid: string })
      .find((metadata) => metadata.name === name);
    return found?.uid ?? null;
  }

  /** The second one hears of some of what it has missed. */
  catchUp(count: number): void {
    const lastVersion = this.#unheard.slice(0, count);
    this.#unheard = this.#unheard.slice(count);
    for (const write of lastVersion) write(this.#behind);
  }

  /** All connections break. */
  breakWatches(): void {
    for (const server of [this.#present, this.#behind]) server.endWatches(new Error("reset"));
  }

  /** Version that the second one knows. */
  get #lastVersion(): number {
    return FIRST_VERSION + this.#version - this.#unheard.length;
  }

  #write(write: (server: FakeApiServer) => void): void {
    this.#version += 1;
    write(this.#present);
    this.#unheard.push(write);
  }
}

/** Of a fake server before its first write. */
const FIRST_VERSION = 100;
