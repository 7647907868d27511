/** Bounds of zone files and the shape of what is wrong with one. Data only. */

/** Limits of a reader. */
export interface ZoneFileLimits {
  /** Characters of one file. */
  readonly fileCharactersMax: number;
  /**
   * Characters of one entry: a line, or several lines in parentheses. A record of 65535 bytes as
   * `\DDD` fits.
   */
  readonly entryCharactersMax: number;
  readonly recordsMax: number;
  /** Files within files; 0 = no `$INCLUDE`. */
  readonly includeDepthMax: number;
  /** Files in all: a file that includes itself twice would be read 2⁸ times. */
  readonly includesMax: number;
  /** Problems after which reading stops. */
  readonly problemsMax: number;
}

/** The default limits. */
export const DEFAULT_ZONE_FILE_LIMITS: ZoneFileLimits = {
  fileCharactersMax: 512 * 1024 * 1024,
  entryCharactersMax: 400_000,
  recordsMax: 5_000_000,
  includeDepthMax: 8,
  includesMax: 1000,
  problemsMax: 100,
};

/** A position in a file; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** One mistake. The other entries of the file are read all the same. */
export interface ZoneFileProblem extends TextPosition {
  readonly file: string;
  /** What is wrong and what to write. */
  readonly message: string;
}
