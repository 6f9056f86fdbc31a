import type { Plan, PlannedOrder } from '../../model/plan.js';
import type { TreeFilter } from '../../search/treeFilter.js';
import { FewestProviders } from './fewestProviders.js';
import { FreeShare } from './freeShare.js';
import { NearConsumers } from './nearConsumers.js';
import { Preference } from './preference.js';
import type { Term } from './term.js';

export function termsOf(plan: Plan, { shareable }: Pick<TreeFilter, 'shareable'>): Term[] {
  const termOf = (order: PlannedOrder): Term => {
    if (order.kind === 'FREE_SHARE') return new FreeShare(plan, order, shareable);
    if (order.kind === 'FEWEST_PROVIDERS') return new FewestProviders(plan, shareable);
    return order.kind === 'NEAR' ? new NearConsumers(order.trees) : new Preference(plan, order, shareable);
  };
  return plan.orderBy.map(termOf);
}
