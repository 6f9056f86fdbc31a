import { readFileSync } from 'node:fs';

/** A version that operators may have running while the next one migrates. */
export interface Release {
  readonly version: string;
  /** The commit of the release. */
  readonly commit: string;
  /** Maps the name of a migration to its checksum. */
  readonly migrations: Readonly<Record<string, string>>;
}

/** Returns the releases, the oldest first. */
export function readReleases(): [Release, ...Release[]] {
  return JSON.parse(readFileSync('prisma/releases.json', 'utf8')) as [Release, ...Release[]];
}
