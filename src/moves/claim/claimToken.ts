import type { CandidateAllocation } from '../../search/anchor.js';
import type { Names } from '../../fleet/snapshot.js';
import { InvalidInput, ensure, type ProviderAllocationInput } from '../../model/input.js';
import { LONGEST_LIST } from '../../model/request.js';

/** The first characters of a database's id, which is random. */
const ID_LENGTH = 8;
const MAX_AMOUNT = 2 ** 31 - 1;
/** The final dot shows that the token is complete. */
const TOKEN = /^1;([0-9a-f]{8});([^.]+)\.$/;
const PART = /^([0-9a-fA-F-]{32,36})=(.+)$/;
const AMOUNT = /^([A-Z0-9_]{1,255}):([1-9]\d{0,9})$/;

/** Returns the allocations of a candidate without generations as text for `allocationsOfToken`. */
export function claimToken(
  databaseId: string,
  classes: Names,
  allocations: readonly CandidateAllocation[],
): string {
  const parts = allocations.map(({ provider: { block, row }, resources }) => {
    const amounts = resources.map(
      ({ resourceClass, amount }) => `${classes.nameOf(resourceClass)}:${amount}`,
    );
    return `${block.uuids[row]}=${amounts.join()}`;
  });
  return Buffer.from(`1;${databaseId.slice(0, ID_LENGTH)};${parts.join(';')}.`).toString('base64url');
}

/** @throws InvalidInput if the token is malformed or of another database */
export function allocationsOfToken(
  token: string,
  databaseId: string,
  path: readonly string[],
): ProviderAllocationInput[] {
  const [, database, text] = TOKEN.exec(Buffer.from(token, 'base64url').toString()) ?? malformed(path);
  const message = 'this claim token is of another database: search the candidates again';
  ensure(database === databaseId.slice(0, ID_LENGTH), path, message);
  const parts = text.split(';');
  ensure(parts.length <= LONGEST_LIST, path, `a claim token has at most ${LONGEST_LIST} providers`);
  return parts.map((part) => {
    const [, resourceProvider, amounts] = PART.exec(part) ?? malformed(path);
    const resources = amounts.split(',').map((each) => {
      const [, resourceClass, amount] = AMOUNT.exec(each) ?? malformed(path);
      if (Number(amount) > MAX_AMOUNT) malformed(path);
      return { resourceClass, amount: Number(amount) };
    });
    return { resourceProvider, resources };
  });
}

function malformed(path: readonly string[]): never {
  throw new InvalidInput(path, 'the claim token is malformed or incomplete');
}
