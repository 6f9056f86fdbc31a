/** One version of OpenStack Placement's schema, as its own record of its migrations (`alembic_version`) names it. */
export interface PlacementVersion {
  readonly revision: string;
  /** The releases that leave a database at this version. */
  readonly releases: string;
  /** What is missing to this program; null where nothing is. */
  readonly tooOld: string | null;
}

const UPGRADE = 'run `placement-manage db sync` of Xena or later, then try again';

/**
 * All versions so far, the oldest first. The first one has the tables without consumer_types, the next two only check the rows; then
 * come consumer_types with consumers.consumer_type_id, and the removal of five indexes that unique ones make redundant.
 */
const VERSIONS: readonly PlacementVersion[] = [
  {
    revision: 'b4ed3a175331',
    releases: 'Stein',
    tooOld: `providers may lack their root, allocations their consumer: ${UPGRADE}`,
  },
  {
    revision: '611cd6dffd7b',
    releases: 'between Stein and Train',
    tooOld: `allocations may lack their consumer: ${UPGRADE}`,
  },
  {
    revision: 'b5c396305c25',
    releases: 'Train to Wallaby',
    tooOld: `consumers have no types yet: ${UPGRADE}`,
  },
  {
    revision: '422ece571366',
    releases: 'Xena to 2023.1 (Antelope)',
    tooOld: null,
  },
  {
    revision: 'a082b8bb98d0',
    releases: '2023.2 (Bobcat) and later',
    tooOld: null,
  },
];

export function placementVersion(revision: string): PlacementVersion | undefined {
  return VERSIONS.find((version) => version.revision === revision);
}

/** For messages. */
export const KNOWN_REVISIONS = VERSIONS.map(({ revision, releases }) => `${revision} (${releases})`).join(
  ', ',
);
