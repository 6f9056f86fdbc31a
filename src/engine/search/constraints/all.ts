import type { Plan } from '../../model/plan.js';
import type { Anchor } from '../anchor.js';
import type { Constraint } from './constraint.js';
import { Isolation } from './isolation.js';
import { MergedAmounts } from './mergedAmounts.js';
import { SameSubtree } from './sameSubtree.js';
import { SharedTraits } from './sharedTraits.js';

/** The constraints of a plan at one anchor: none for one unsuffixed group without required traits. */
export function constraintsOf(plan: Plan, anchor: Anchor): Constraint[] {
  const constraints: Constraint[] = [];
  if (plan.isolation !== null) constraints.push(new Isolation(plan.isolation, anchor));
  if (plan.mergedClasses.length > 0) constraints.push(new MergedAmounts(plan, anchor));
  for (const group of plan.groups) {
    if (!group.isGranular && group.requiredTraits.length > 0)
      constraints.push(new SharedTraits(group, plan, anchor));
  }
  for (const affinity of plan.sameSubtree) {
    if (affinity.within.length + affinity.outside.length > 1)
      constraints.push(new SameSubtree(affinity, anchor));
  }
  return constraints;
}
