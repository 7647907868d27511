/**
 * The owner ids of a zone, and which installation has the fence of each, the record that says who
 * writes for it (Z-17, ADR 0050). For people. Pure.
 */
import type { OwnerFence } from "../../../../sync/contract/fence-status.ts";

/**
 * `owner ids in example.org: me and shop (this installation); east: waits: installation … has …`;
 * null = there is only the id of --owner, which has words of its own.
 */
export function ownerIdsText(apex: string, fences: readonly OwnerFence[] = []): string | null {
  if (fences.length < 2) return null;
  const free = fences.filter(isFree).map(({ owner }) => owner);
  const here = free.length === 0 ? [] : [`${free.join(" and ")} (this installation)`];
  const held = fences.filter((fence) => !isFree(fence)).map(heldText);
  return `owner ids in ${apex}: ${[...here, ...held].join("; ")}`;
}

function isFree({ state, mode }: OwnerFence): boolean {
  return state === "on" && mode !== "stopped";
}

function heldText({ owner, state, message, holder }: OwnerFence): string {
  if (state === "off")
    return `${owner}: off, and its fence${holder === null ? "" : ` of ${holder}`} is not removed yet`;
  return `${owner}: ${state === "waits" ? "waits" : "stopped"}: ${message}`;
}
