/**
 * Counts nearly as much as one operation may, and is answered at once, since no provider has this uuid: it is admitted without a wait
 * exactly when all operations before it have given back what they had taken.
 */
export const COSTLY_QUERY = `{
  resourceProviders(first: 1000, filter: { uuid: "ffffffff-ffff-4fff-8fff-ffffffffffff" }) {
    nodes { aggregates { resourceProviders(first: 90) { nodes { uuid } } } }
  }
}`;
