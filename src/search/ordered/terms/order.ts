import type { Plan } from '../../plan.js';
import type { PlannedOrder } from '../plannedOrder.js';
import type { TreeFilter } from '../../treeFilter.js';
import { fewestProviders } from './fewestProviders.js';
import { freeShare } from './freeShare.js';
import { leastStranding } from './leastStranding.js';
import { preference } from './preference.js';
import type { Term } from './term.js';
import { valueOfTrees } from './valueOfTrees.js';

/** The terms of a plan's order. Searches with the same plan and filter can share it. */
export interface Order {
  readonly terms: readonly Term[];
  /**
   * The cache key of the bounds of a block: everything that they depend on except the block, as JSON. A number if
   * the JSON is long.
   */
  readonly key: string;
}

/** The maximum length of a key that blocks keep. Searches with longer keys share no bounds. */
const MAX_KEY = 10_000;
let ordersWithLongKeys = 0;

export function orderOf(plan: Plan, { shareable, indexConditions }: TreeFilter): Order {
  const termOf = (order: PlannedOrder): Term => {
    if (order.kind === 'FREE_SHARE') return freeShare(plan, order, shareable);
    if (order.kind === 'FEWEST_PROVIDERS') return fewestProviders(plan, shareable);
    if (order.kind === 'STRANDING') return leastStranding(plan, order, shareable);
    return 'trees' in order ? valueOfTrees(order) : preference(plan, order, shareable);
  };
  const terms = plan.orderBy.map(termOf);
  const isUnbounded = terms.slice(1).map(({ boundBySharing }) => boundBySharing !== null);
  const key = JSON.stringify([terms.map((term) => term.key), isUnbounded, indexConditions]);
  return { terms, key: key.length > MAX_KEY ? `${ordersWithLongKeys++}` : key };
}
