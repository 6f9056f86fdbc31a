import { sumByClass } from './amounts';
import { MAINTENANCE } from './maintenance';

/**
 * The conditions of every request of the dashboard: no host in maintenance, whatever the server excludes, and the fewest
 * providers first.
 */
export const DEFAULT_CONDITIONS = {
  rootForbiddenTraits: [MAINTENANCE],
  orderBy: [{ fewestProviders: true }],
};

/**
 * Returns a request for the wanted amounts. They default to the current amounts of the consumer. A
 * class that several providers serve now may be split again.
 */
export function requestByAmounts(
  allocations: Parameters<typeof sumByClass>[0],
  wanted = sumByClass(allocations),
) {
  const resources = Array.from(wanted, ([resourceClass, amount]) => ({ resourceClass, amount })).filter(
    ({ amount }) => amount > 0,
  );
  const isSplit = (name: string): boolean =>
    allocations.filter(({ resourceClass }) => resourceClass.name === name).length > 1;
  const canSplit = resources.map(({ resourceClass }) => resourceClass).filter(isSplit);
  return { groups: [{ resources, canSplit }], ...DEFAULT_CONDITIONS };
}
