/**
 * The mnemonics of the numbers of an IANA registry (RFC 6895), and the numbers of the mnemonics.
 */

/**
 * One registry. A number without a mnemonic is written as the prefix of the registry and the
 * number, such as `TYPE65280` (RFC 3597 §5).
 */
export interface Registry<Name extends string, Prefix extends string> {
  of(number: number): Name | `${Prefix}${number}`;
  /** The number of a mnemonic or of `<prefix><0 to 65535>`; null when it is neither. */
  numberOf(mnemonic: string): number | null;
}

/** The registry with these mnemonics; numbers have 16 bits. */
export function registry<Name extends string, Prefix extends string>(
  prefix: Prefix,
  numbers: Readonly<Record<Name, number>>,
): Registry<Name, Prefix> {
  const byName = new Map<string, number>();
  const byNumber = new Map<number, Name>();
  for (const name in numbers) {
    byName.set(name, numbers[name]);
    byNumber.set(numbers[name], name);
  }
  const unnamed = new RegExp(`^${prefix}(\\d{1,5})$`);
  return {
    of: (number) => byNumber.get(number) ?? `${prefix}${number}`,
    numberOf: (mnemonic) => {
      const number = byName.get(mnemonic) ?? Number(unnamed.exec(mnemonic)?.[1] ?? Number.NaN);
      return number <= 65_535 ? number : null;
    },
  };
}
