/**
 * Costs nearly as much as one operation may, but is answered immediately, because no provider has
 * this uuid. It is admitted without a wait exactly if all earlier operations have released their
 * cost.
 */
export const COSTLY_QUERY = `{
  resourceProviders(first: 1000, filter: { uuid: "ffffffff-ffff-4fff-8fff-ffffffffffff" }) {
    nodes { aggregates { resourceProviders(first: 90) { nodes { uuid } } } }
  }
}`;
