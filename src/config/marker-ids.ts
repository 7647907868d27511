/**
 * Owner and cluster ids that no marker of the chosen registry could carry are refused at the start:
 * each record would be held by them. external-dns refuses an empty id alone (registry/txt
 * `newRegistry` @v0.22), and what it can read back can be carried here; configmap and noop write no
 * markers and take any id. Pure.
 */
import { forbiddenIn, idBytesMax, type MarkerFormat } from "../model/marker-ids.ts";
import type { Problem } from "../model/problem.ts";
import { invalidOption } from "./option.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

/** Characters of a UID (RFC 9562 §4), the cluster id that nobody chose. */
const UID_CHARS = 36;
const OTHERWISE = "or --registry configmap, which carries any";

/** Problems of the ids that `run` was given. */
export function runIdProblems(options: ResolvedOptions): readonly Problem[] {
  const format = options.needText("registry");
  // The others write no ids into texts of the zone.
  if (format !== "txt" && format !== "gardener" && format !== "mesh") return [];
  // The clusters whose objects have records; without a kubeconfig of its own the target is the
  // source.
  const hasTarget = options.text("target") !== null;
  const ids = ["kubeconfig.id", ...(hasTarget ? ["target.id"] : [])];
  const clusters = format === "mesh" ? ids : [];
  const faults = clusters.flatMap((name) =>
    idProblems(name, options.text(name), format, OTHERWISE),
  );
  const lengths = clusters.map((name) => options.text(name)?.length ?? UID_CHARS);
  const clusterIdBytes = Math.max(0, ...lengths);
  return [...faults, ...ownerProblems(options, format, clusterIdBytes, OTHERWISE)];
}

/** Problems of the owner id that `dev` was given; its registry is txt. */
export function devIdProblems(options: ResolvedOptions): readonly Problem[] {
  return ownerProblems(options, "txt", 0, "such as team-a");
}

/**
 * `clusterIdBytes`: of the cluster id in the same marker. An encrypted marker is packed first: what
 * fits is seen when it is written.
 */
function ownerProblems(
  options: ResolvedOptions,
  format: MarkerFormat,
  clusterIdBytes: number,
  otherwise: string,
): readonly Problem[] {
  const owner = options.text("owner");
  const isPacked = format === "txt" && options.flag("txt-encrypt-enabled");
  const isSigned = format === "txt" && options.needText("marker-signing") !== "off";
  const room = idBytesMax({ format, isSigned }) - clusterIdBytes;
  const faults = idProblems("owner", owner, format, otherwise);
  if (owner === null || faults.length > 0 || isPacked || owner.length <= room) return faults;
  const [cluster, what] =
    clusterIdBytes === 0
      ? ["", "a shorter id"]
      : [` beside a cluster id of ${clusterIdBytes}`, "shorter ids"];
  const message = `has ${owner.length} characters, and a marker of the registry ${format} has room for ${Math.max(room, 0)}${cluster}; choose ${what}, ${otherwise}`;
  return [invalidOption("owner", message)];
}

/** `id` null = not given. */
function idProblems(
  option: string,
  id: string | null,
  format: MarkerFormat,
  otherwise: string,
): readonly Problem[] {
  const forbidden = id === null ? null : forbiddenIn(format, id);
  if (forbidden === null) return [];
  const message = `${JSON.stringify(id)} cannot stand in a marker of the registry ${format}: it holds ${forbidden}; choose another id, ${otherwise}`;
  return [invalidOption(option, message)];
}
