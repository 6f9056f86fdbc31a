import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, requestOf } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumers } from '../support/manyConsumers.js';
import type { ProviderPart } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });
const provider = (name: string): string => uuidOf('provider', name);
const load = (picture: string): Promise<void> => loadForest(database, forest(picture));

interface Metrics {
  readonly brokenRelationCount: number | null;
  readonly faultyConsumerCount: number | null;
}

interface Plan {
  readonly outcome: string;
  readonly optimal: boolean;
  readonly gain: number;
  readonly before: Metrics;
  readonly after: Metrics;
  readonly moves: {
    readonly consumer: { readonly uuid: string };
    readonly to: ProviderPart[];
  }[];
}

async function plan(goal: string, requests: Readonly<Record<string, object>>): Promise<Plan> {
  const { planRebalance } = await api.read<{ planRebalance: Plan }>(
    `query ($input: RebalanceInput!) {
      planRebalance(input: $input) {
        outcome optimal gain
        before { brokenRelationCount faultyConsumerCount }
        after { brokenRelationCount faultyConsumerCount }
        moves { consumer { uuid } to { resourceProvider { name } resources { amount resourceClass { name } } } }
      }
    }`,
    {
      input: {
        goal,
        requests: Object.entries(requests).map(([uuid, request]) => ({ consumers: { uuid }, request })),
      },
    },
  );
  return planRebalance;
}

const goals = ({ moves }: Plan): string[] => moves.map(({ to }) => to[0].resourceProvider.name);

async function apart(count: number): Promise<Record<string, object>> {
  const uuids: string[] = [];
  for (let at = 0; at < count; at++) uuids.push(await claimed(api, { [provider('p0')]: { VCPU: 1 } }));
  return Object.fromEntries(
    uuids.map((uuid) => [
      uuid,
      { ...requestOf({ VCPU: 1 }), awayFromConsumers: uuids.filter((other) => other !== uuid) },
    ]),
  );
}

// ProxLB, issue 123: anti-affinity is reported as violated, and the guests stay on one node.
test('ProxLB: guests that must be apart are on one host, and no single move separates all of them', async () => {
  await load('p0 VCPU:8\np1 VCPU:8\np2 VCPU:8');
  const found = await plan('FIX', await apart(3));
  expect(found).toMatchObject({
    ...{ outcome: 'FOUND', optimal: true, gain: 9 },
    before: { brokenRelationCount: 6, faultyConsumerCount: 3 },
    after: { brokenRelationCount: 0, faultyConsumerCount: 0 },
  });
  expect(goals(found).sort()).toEqual(['p1', 'p2']);
});

test('ProxLB: too few hosts separate all guests, so that as many as possible are separated', async () => {
  await load('p0 VCPU:8\np1 VCPU:8');
  const found = await plan('FIX', await apart(3));
  expect(found).toMatchObject({ outcome: 'FOUND', optimal: true, after: { brokenRelationCount: 2 } });
  expect(goals(found)).toEqual(['p1']);
});

test('Kubernetes descheduler: of two guests that must be apart only one is moved', async () => {
  await load('p0 VCPU:32\np1 VCPU:32\np2 VCPU:32');
  await addConsumers(database, provider('p0'), 20);
  expect((await plan('FIX', await apart(2))).moves).toHaveLength(1);
});

test('Nova: two servers on each other’s full hosts cannot swap, because no host suits either of them', async () => {
  await load('fast VCPU:4 +HW_CPU_X86_AVX512F\nplain VCPU:4\nspare VCPU:4 +HW_CPU_X86_SSE42');
  const [needs, blocks] = [
    await claimed(api, { [provider('plain')]: { VCPU: 4 } }),
    await claimed(api, { [provider('fast')]: { VCPU: 4 } }),
  ];
  const request = (group: object) => requestOf({ VCPU: 4 }, group);
  const found = await plan('FIX', {
    [needs]: request({ requiredTraits: [['HW_CPU_X86_AVX512F']] }),
    [blocks]: request({ forbiddenTraits: ['HW_CPU_X86_AVX512F', 'HW_CPU_X86_SSE42'] }),
  });
  expect(found).toMatchObject({ outcome: 'FOUND', optimal: true, after: { faultyConsumerCount: 0 } });
  expect(goals(found)).toHaveLength(3);
  expect(goals(found)[0]).toBe('spare');
});
