/**
 * A change of the sources that breaks one behaviour.
 *
 * @typedef {object} Mutation
 * @property {string} name the behaviour that the mutation breaks
 * @property {string} find a text that occurs once in src/, wherever its file is
 * @property {string} replace the text that takes its place
 * @property {readonly string[]} tests the paths of test files in test/, without .test.ts; one of them must fail
 */

/** @type {readonly Mutation[]} */
export const MUTATIONS = [
  // the change feed
  {
    name: 'a reader of the feed reads the row at the low-watermark of a writer',
    find: 'ranges.push(`(${WRITER} = ? AND ${SEQ} >= ?)`);',
    replace: 'ranges.push(`(${WRITER} = ? AND ${SEQ} > ?)`);',
    tests: ['snapshot/live', 'snapshot/watch'],
  },
  {
    name: 'a reset of the feed loads the snapshot again',
    find: "if (rows.some(({ kind }) => kind === 'RESET')) throw new FeedReset();",
    replace: "if (rows.some(({ kind }) => kind === 'HEARTBEAT')) throw new FeedReset();",
    tests: ['feed/log'],
  },
  {
    name: 'a statement that a poll of the log overtakes does not extend the log',
    find: 'if (this.end !== from || position === from) return;',
    replace: 'if (position === from) return;',
    tests: ['feed/log'],
  },
  {
    name: 'a writer of the feed keeps its low-watermark below transactions in flight',
    find: 'const lowWatermark = Math.min(...this.inFlight);',
    replace: 'const lowWatermark = Math.max(...this.inFlight);',
    tests: ['snapshot/live', 'snapshot/watch', 'ledger/outcome'],
  },
  {
    name: 'the feed compares the version of the quotas that a transaction has read',
    find: 'const FENCED = leased(` AND ${QUOTA_VERSION} = ?`);',
    replace: 'const FENCED = leased(` AND ${QUOTA_VERSION} >= 0 * ?`);',
    tests: ['ledger/quotas', 'races/quotas'],
  },
  // writes of other programs
  {
    name: 'a recheck records a provider whose usage changed without a new generation',
    find: 'const others = Array.from(ids).filter((id) => !inFeed.has(id));',
    replace: 'const others = Array.from(ids).filter((id) => inFeed.has(id));',
    tests: ['snapshot/externalWrites', 'snapshot/live', 'api/claimAfterForeignChanges'],
  },
  {
    name: 'a recheck does not record a state that the snapshot cannot show',
    find: 'const changed = unlike.filter((id) => !snapshot.has(id, next.providerOf(id) ?? null));',
    replace: 'const changed = unlike;',
    tests: ['snapshot/live'],
  },
  {
    name: 'a claim rechecks the providers that the ledger rejected',
    find: 'if ((await snapshots.recheck(claimedOn)).length > 0) {',
    replace: 'if (claimedOn.size < 0) {',
    tests: ['api/claimAfterForeignChanges'],
  },
  {
    name: 'a recheck records a changed catalog',
    find: 'return others.includes(CATALOG) && isCatalogChanged ? [...changed, CATALOG] : changed;',
    replace: 'return changed;',
    tests: ['snapshot/live', 'snapshot/binaryLog'],
  },
  {
    name: 'the binary log reports the providers of updated rows',
    find: 'for (const state of [row.before, row.after, row]) {',
    replace: 'for (const state of [row]) {',
    tests: ['snapshot/binaryLog'],
  },
  // searches and placements
  {
    name: 'a search adds the amounts of several groups on one provider to its usage',
    find: 'return block.used[at] + sum <= block.capacities[at] && sum <= block.maxUnits[at];',
    replace: 'return sum <= block.capacities[at] && sum <= block.maxUnits[at];',
    tests: ['engine/examples', 'engine/conformance'],
  },
  {
    name: 'each consumer of a sequence counts as used for the next one',
    find: '      overlay.allocateAll(allocationsOf(plan, candidate));\n    }\n    return candidates;',
    replace: '    }\n    return candidates;',
    tests: ['engine/sequence', 'api/claim'],
  },
  {
    name: 'packing tries all nodes that can beat the best one',
    find: 'if (placed.length + boundsFrom[position] <= best.length) {',
    replace: 'if (placed.length + boundsFrom[position] <= best.length + 1) {',
    tests: ['engine/packing'],
  },
  {
    name: 'the greedy search places a workload only if it meets its rules',
    find: 'if (member === undefined) return problem.rules.every((_, rule) => state.counts.lacking(rule) === 0);',
    replace: 'if (member === undefined) return true;',
    tests: ['engine/workload', 'engine/workloadProperty'],
  },
  {
    name: 'the greedy search fills the region with the lowest costs of the rules',
    find: 'if (difference > 0 || (difference === 0 && open[at].size <= open[best].size)) continue;',
    replace: 'if (difference < 0 || (difference === 0 && open[at].size <= open[best].size)) continue;',
    tests: ['engine/workloadProofs'],
  },
  {
    name: 'a headroom is exact only if an upper bound agrees',
    find: 'return { count, reachedUpTo: false, exact: count === (yield* this.bound.total()) };',
    replace: 'return { count, reachedUpTo: false, exact: count <= (yield* this.bound.total()) };',
    tests: ['engine/headroom', 'engine/headroomProperty'],
  },
  // drain and rebalance
  {
    name: 'each move of a drain counts as used for the next one',
    find: '    this.allocate(held, -1);\n    this.allocate(to, 1);',
    replace: '    this.allocate(held, -1);',
    tests: ['api/planDrain', 'placement/drainProperty'],
  },
  {
    name: 'a drain retries the consumers that did not fit before another one moved',
    find: 'if (stuck.length === 0 || stuck.length === left.length) {',
    replace: 'if (stuck.length >= 0) {',
    tests: ['api/planDrain', 'placement/drainProperty'],
  },
  {
    name: 'a move of a drain releases the allocations outside the drained trees that the consumer leaves',
    find: '    this.allocate(held, -1);\n    this.allocate(to, 1);\n    if (held.length > 0)',
    replace: '    this.allocate(to, 1);\n    if (held.length > 0)',
    tests: ['api/planDrain', 'placement/drainProperty', 'placement/drainRelationsProperty'],
  },
  {
    name: 'a drain keeps no allocation on a drained tree',
    find: 'const isKept = provider !== undefined && !options.leaves(treeIndexOf(provider));',
    replace: 'const isKept = provider !== undefined;',
    tests: ['placement/consumerShape', 'api/planDrain', 'placement/drainProperty'],
  },
  {
    name: 'a rebalance breaks no relation that holds',
    find: "!isBroken(relation, relation.rule === 'AWAY' ? state.positions : start);",
    replace: "isBroken(relation, relation.rule === 'AWAY' ? state.positions : start);",
    tests: ['engine/relationsProperty', 'engine/rebalanceProperty', 'placement/rebalance'],
  },
  {
    name: 'a rebalance empties a host completely or not at all',
    find: 'if (!(yield* move(sized))) return false;',
    replace: 'yield* move(sized);',
    tests: ['engine/rebalance', 'engine/rebalanceProperty'],
  },
  // candidates as text
  {
    name: 'the text of a candidate has the parents of its providers',
    find: 'block.parents[row] < 0 ? null : { block, row: block.parents[row] },',
    replace: 'block.parents[row] < Infinity ? null : { block, row: block.parents[row] },',
    tests: ['api/fastCandidates'],
  },
  {
    name: 'the text of a candidate has its traits in the order of their names',
    find: 'return Array.from(traits, (trait) => snapshot.traits.nameOf(trait)).sort();',
    replace: 'return Array.from(traits, (trait) => snapshot.traits.nameOf(trait)).sort().reverse();',
    tests: ['api/fastCandidates'],
  },
  // errors
  {
    name: 'CONCURRENT_UPDATE is retryable',
    find: "meaning: 'Concurrent writes caused conflicts until the server gave up.',\n    retryable: true,",
    replace:
      "meaning: 'Concurrent writes caused conflicts until the server gave up.',\n    retryable: false,",
    tests: ['api/errorsPage', 'ledger/errors'],
  },
  {
    name: 'a write with a former generation of the provider is rejected',
    find: 'expected != null && provider.generation !== expected',
    replace: 'expected != null && provider.generation < expected',
    tests: ['ledger/providers', 'api/providers'],
  },
  // claims and transactions
  {
    name: 'a claim ends at its deadline',
    find: 'if (ledger.clock.elapsed() > budget.end) throw new ConcurrentUpdate(budget.length, error);',
    replace: 'if (ledger.clock.elapsed() > 2 * budget.end) throw new ConcurrentUpdate(budget.length, error);',
    tests: ['placement/claimDeadline'],
  },
  {
    name: 'a claim searches again after a conflict',
    find: 'if (!isOutdated(error)) throw inMember(members, error);',
    replace: 'throw inMember(members, error);',
    tests: ['api/claimAfterForeignChanges', 'placement/claimDeadline'],
  },
  {
    name: 'a transaction runs again after a conflict',
    find: 'if (error instanceof OutcomeUnknown || !(isConflict(error) || isRetryable(error))) throw error;',
    replace: 'if (error instanceof OutcomeUnknown || !isRetryable(error)) throw error;',
    tests: ['ledger/transaction', 'ledger/races'],
  },
  {
    name: 'the queue keeps claims of the same providers in the order of their arrival',
    find: 'keys.some((key) => behind.has(key)) ||',
    replace: '',
    tests: ['ledger/claimOverlap', 'ledger/claimBatches'],
  },
  {
    name: 'a write compares the generations of all its providers',
    find: "if (affectedRows !== batch.length) throw new WriteConflict('a provider was changed concurrently');",
    replace:
      "if (affectedRows > batch.length) throw new WriteConflict('a provider was changed concurrently');",
    tests: ['ledger/races'],
  },
  {
    name: 'a rebalancing breaks no rule of a named workload on domains',
    find: "return this.rules.breaks(consumer, before, after, rule !== 'AWAY');",
    replace: 'return false;',
    tests: ['placement/rememberedFleets'],
  },
  // operations
  {
    name: 'an operation waits behind those that wait already',
    find: 'if (this.queue.size > 0 || !this.hasRoomFor(cost)) return this.wait(cost, applicant);',
    replace: 'if (!this.hasRoomFor(cost)) return this.wait(cost, applicant);',
    tests: ['operations/admission'],
  },
  {
    name: 'new tasks wait once others have used the turn of the event loop',
    find: 'if (this.spent >= FIRST_SLICE_MS || this.waiting.has(owner)) return false;',
    replace: 'if (this.waiting.has(owner)) return false;',
    tests: ['operations/turns'],
  },
  // access
  {
    name: 'a reader of a project sees no object of another project',
    find: 'return own === null || own === projectId;',
    replace: "return own === null || projectId !== '';",
    tests: ['access/answers', 'access/rules'],
  },
  {
    name: 'a reader of a project may only name the own project in an argument',
    find: "if (rule === 'FREE' || (rule === 'OWN_PROJECT' && value === viewer!.projectId)) continue;",
    replace: "if (rule === 'FREE' || rule === 'OWN_PROJECT') continue;",
    tests: ['access/answers', 'access/rules'],
  },
];
