/**
 * Z-17 and S6 at each write to a zone with a fence, by rules of our own: who writes is the
 * installation and the term that the fence names, nobody writes while it is contested, and no epoch
 * comes after a later one.
 */
import { fingerprint64 } from "../../../src/model/fingerprint.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { claimsOf, contentText, furtherIdOf, isFence } from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

/** Who writes. */
export interface FencedSender {
  readonly owner: string;
  /** Null = it knows of no fence. */
  readonly term: { readonly domain: string; readonly epoch: number } | null;
}

/** One write to the zone. */
export interface FencedWrite {
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  /** Whether there ever was another installation with this owner id. */
  readonly hasOtherInstallation: boolean;
}

/** What a fence says. */
interface Fence {
  readonly domain: string;
  readonly epoch: number;
  readonly isContested: boolean;
}

/**
 * Throws a violation; answers whether a fence stood there, so that there was something to look at.
 */
export function checkFence(write: FencedWrite, { owner, term }: FencedSender): boolean {
  const { before, after, hasOtherInstallation } = write;
  checkOthersFences(write, owner);
  const was = fenceIn(before, owner);
  const is = fenceIn(after, owner);
  if (is?.isContested === true && was?.isContested !== true && !hasOtherInstallation)
    throw new Violation("Z-17: one installation alone was taken for two");
  if (term === null || was === null) return false;
  if (was.domain === is?.domain && is.epoch < was.epoch)
    throw new Violation(`S6: the fence goes back from epoch ${was.epoch} to ${is.epoch}`);
  if (dataOf(before) === dataOf(after)) return true;
  if (was.isContested)
    throw new Violation(`Z-17: ${term.domain} wrote while ${owner} is contested`);
  if (was.domain !== term.domain)
    throw new Violation(`Z-17: ${term.domain} wrote to the zone that ${was.domain} has fenced`);
  if (was.epoch > term.epoch)
    throw new Violation(`S6: epoch ${term.epoch} wrote after ${was.epoch} had begun`);
  return true;
}

/** Whether the owner id is contested now. */
export function isContested(sets: readonly RecordSet[], owner: string): boolean {
  return fenceIn(sets, owner)?.isContested ?? false;
}

/** The election domain that has fenced the zone for this owner id; null = none has. */
export function fencedBy(sets: readonly RecordSet[], owner: string): string | null {
  return fenceIn(sets, owner)?.domain ?? null;
}

/** S1: the fence of another owner id is not ours to write. */
function checkOthersFences({ before, after }: FencedWrite, owner: string): void {
  const others = (sets: readonly RecordSet[]): string =>
    sets
      .filter((set) => isFence(set) && !isOf(set, owner) && !isOf(set, furtherIdOf(owner)))
      .map(contentText)
      .join("\n");
  if (others(before) !== others(after))
    throw new Violation(`S1: ${owner} changed the fence of another owner id`);
}

function fenceIn(sets: readonly RecordSet[], owner: string): Fence | null {
  const text = sets.find((set) => isFence(set) && isOf(set, owner))?.values[0] ?? "";
  const [, domain, epoch] = /^"v=1;domain=([^;"]+);epoch=(\d+)[;"]/.exec(text) ?? [];
  if (domain === undefined) return null;
  return { domain, epoch: Number(epoch), isContested: text.includes(";contested=") };
}

function isOf({ name }: RecordSet, owner: string): boolean {
  return name.startsWith(`${fingerprint64(owner)}.`);
}

/** Everything but fences and what the server itself changes. */
function dataOf(sets: readonly RecordSet[]): string {
  return claimsOf(sets)
    .filter(({ set }) => set.type !== "SOA")
    .map(({ set }) => contentText(set))
    .join("\n");
}
