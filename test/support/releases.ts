import { readFileSync } from 'node:fs';

/** A version that operators may have running while the next one migrates. */
export interface Release {
  readonly version: string;
  /** What it was built from. */
  readonly commit: string;
  /** Its migrations, by name the checksum. */
  readonly migrations: Readonly<Record<string, string>>;
}

/** The oldest first. */
export function readReleases(): [Release, ...Release[]] {
  return JSON.parse(readFileSync('prisma/releases.json', 'utf8')) as [Release, ...Release[]];
}
