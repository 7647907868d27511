/**
 * An object that was deleted while it was being written needs nothing more: the watch reports it.
 */
import { OperationError } from "@zonekeeper/base/operation-error";

/** Runs `act`; swallows `NotFound`, passes everything else on. */
export async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "NotFound") throw error;
  }
}
