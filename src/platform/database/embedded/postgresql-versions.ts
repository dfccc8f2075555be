/**
 * The newest minor release of each major version when this release of Kalends was made (November 2026). 15.20 is what
 * Debian's security archive has; the others were released on the same day, as minor releases always are, and so have
 * the numbers beside it.
 */
const newestMinors: Record<number, number> = { 15: 20, 16: 16, 17: 12, 18: 6 }

/** The newest release of the same major version, if this one is older; undefined if it is current or unknown. */
export function findNewerRelease({ major, minor }: { major: number; minor: number }): string | undefined {
  const newest = newestMinors[major]
  return newest === undefined || minor >= newest ? undefined : `${major}.${newest}`
}

/** Parses the output of `postgres --version`: `postgres (PostgreSQL) 17.12 (Debian 17.12-0+deb13u1)`. */
export function parseVersion(printed: string): { major: number; minor: number } | undefined {
  const [, major, minor] = /\(PostgreSQL\) (\d+)(?:\.(\d+))?/.exec(printed) ?? []
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor ?? 0) }
}
