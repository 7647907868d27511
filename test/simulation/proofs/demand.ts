/** Throws unless a rule holds. */
export function demand(isRight: boolean, rule: string): void {
  if (!isRight) throw new Error(rule);
}
