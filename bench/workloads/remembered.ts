import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Effort } from '../../src/model/operation/waiting.js';
import { treeIndexOf } from '../../src/fleet/snapshot.js';
import { RequestTexts } from '../../src/moves/rememberedRequests.js';
import { RequestsOfConsumers } from '../../src/moves/rebalance/requestsOfConsumers.js';
import type { FleetConsumer } from '../../src/moves/rebalance/fleetConsumers.js';
import type { Figure } from '../figure.js';
import { times } from '../hard/cases.js';
import { snapshotOfTrees } from '../hard/fleet.js';
import { logProgress } from '../progress.js';

const CONSUMERS = 100_000;
const KINDS = 10;
const MAX_MB = 10;

/** The memory of the remembered requests of 100,000 consumers of ten kinds while a plan holds all of them. */
export function rememberedMemory(): Figure {
  const what = `the remembered requests of ${CONSUMERS} consumers of ${KINDS} kinds in a plan`;
  logProgress(what);
  const snapshot = snapshotOfTrees(
    times(100, () => [{ parent: null, inventories: { VCPU: { total: 2_000_000 } } }]),
  );
  const [block] = snapshot.blocks;
  const provider = (at: number) => {
    const place = { block, row: at % 100 };
    return { ...place, treeIndex: treeIndexOf(place) };
  };
  const VCPU = snapshot.classes.idOf('VCPU')!;
  const consumers = times(CONSUMERS, (at): FleetConsumer => ({
    uuid: `${at}`,
    generation: 1,
    typeId: null,
    requestId: at % KINDS,
    isKept: false,
    isKnown: true,
    allocations: [{ provider: provider(at), resources: [{ resourceClass: VCPU, amount: 1 + (at % KINDS) }] }],
  }));
  const bodies = new Map(
    times(KINDS, (at): [number, string] => [
      at,
      JSON.stringify({
        groups: [
          {
            resources: [{ resourceClass: 'VCPU', amount: 1 + at }],
            forbiddenTraits: ['CUSTOM_OFF'],
          },
        ],
      }),
    ]),
  );
  const options = { requests: [], keep: [], keepTypes: [], keepsTraits: false, excludedRootTraits: [] };
  const before = heapUsed();
  const memory = { bodies, texts: new RequestTexts([]) };
  const requests = new RequestsOfConsumers(snapshot, options, consumers, new Map(), new Map(), memory);
  const effort = new Effort();
  effort.allow(Infinity);
  for (const at of consumers.keys())
    if (requests.sourceOf(at) !== 'REMEMBERED') throw new Error(`${what}: consumer ${at} has none`);
  const after = heapUsed();
  // keeps the requests until the memory is measured
  if (requests.sourceOf(0) !== 'REMEMBERED') throw new Error(what);
  return {
    hosts: 100,
    what,
    value: (after - before) / 2 ** 20,
    unit: 'MiB',
    count: 1,
    detail: '',
    checks: [{ bar: { atMost: (MAX_MB * 1e6) / 2 ** 20 } }],
  };
}

/** Returns the used heap after a collection (bytes). */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
