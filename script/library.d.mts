/** Path of the file by the name of the entry. */
export const LIBRARY: Readonly<Record<string, string>>;
