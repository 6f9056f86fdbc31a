import type { Snapshot } from '../../fleet/snapshot.js';
import type { CandidatesRequest } from '../../model/request.js';
import { readHeldConsumers, type ConsumerReader } from '../../store/sql/consumers.js';
import { readNaming } from '../../store/sql/rememberedRequests.js';
import { allocationsIn, readHoldingsOf } from '../heldConsumers.js';
import type { RebalancedConsumer } from '../rebalance/problem.js';
import type { Operation } from '../../model/operation/operation.js';
import { withRequests, RequestTexts, withoutEnded } from '../rememberedRequests.js';

/** A consumer that does not move, and the request that states its relations. */
export interface FixedConsumer extends RebalancedConsumer {
  readonly request: CandidatesRequest;
}

/**
 * Reads the consumers whose remembered requests state relations to movable consumers, except these and those that the
 * workload replaces.
 */
export async function readFixed(
  database: ConsumerReader,
  snapshot: Snapshot,
  { movable, replaced }: Readonly<Record<'movable' | 'replaced', readonly string[]>>,
  excludedRootTraits: readonly string[],
  operation: Operation,
): Promise<FixedConsumer[]> {
  const others = new Set([...movable, ...replaced]);
  const naming = (await readNaming(database, movable)).filter(({ consumer }) => !others.has(consumer));
  if (naming.length === 0) return [];
  const texts = new RequestTexts(excludedRootTraits);
  const stated = await withRequests(texts, naming, operation);
  const [held, holdings] = await Promise.all([
    readHeldConsumers(
      database,
      stated.map(({ consumer }) => consumer),
    ),
    readHoldingsOf(database, stated),
  ]);
  const present = withoutEnded(holdings);
  return stated.flatMap(({ consumer: uuid, request: remembered }) => {
    const request = present(remembered);
    const allocations = allocationsIn(snapshot, held.get(uuid)?.allocations ?? []);
    return [{ uuid, allocations, canMove: false, isStated: true, request: { ...request, holdings } }];
  });
}
