import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, newConsumers, requestOf, setAllocations, takes } from '../support/claims.js';
import { Random } from '../oracle/random.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import type { ProviderPart } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });

const FULL = Array.from({ length: 20 }, (_, at) => `full${at}`);

useForest(
  database,
  `
    host1    VCPU:8
    host2    VCPU:8
    host3    VCPU:8
    ${FULL.map((name) => `${name} DISK_GB:1000`).join('\n    ')}
    spare    DISK_GB:10
    aside    DISK_GB:5
  `,
);

const DOCUMENT = `query ($input: ClaimInput!, $makeRoom: MakeRoomInput) {
  planWorkload(input: $input, makeRoom: $makeRoom, seed: 1) {
    outcome
    plans {
      movedCount
      moves { consumer { uuid } to { resourceProvider { name } } }
      consumers { consumerUuid allocationRequest { allocations { resourceProvider { name } } } }
    }
  }
}`;

interface Plan {
  readonly outcome: string;
  readonly plans: readonly {
    readonly movedCount: number;
    readonly moves: readonly { readonly consumer: { uuid: string }; readonly to: readonly ProviderPart[] }[];
    readonly consumers: readonly {
      readonly allocationRequest: { readonly allocations: readonly ProviderPart[] };
    }[];
  }[];
}

async function planned(input: object): Promise<Plan> {
  const makeRoom = { movable: { consumerTypes: ['BATCH'] } };
  return (await api.read<{ planWorkload: Plan }>(DOCUMENT, { input, makeRoom })).planWorkload;
}

test.each(['host2', 'host3'])(
  'a moved consumer keeps its relations to the consumers of the workload: one of them goes to %s',
  async (name) => {
    const [big, small] = newConsumers(2);
    const fixed = await Promise.all(
      ['host2', 'host3'].map((host) => claimed(api, { [uuidOf('provider', host)]: { VCPU: 4 } })),
    );
    const mover = await claimed(
      api,
      { [uuidOf('provider', 'host1')]: { VCPU: 3 } },
      { consumerType: 'BATCH' },
    );
    const request = { ...requestOf({ VCPU: 3 }), awayFromConsumers: [big.consumer, small.consumer] };
    expect(await api.mutate('rememberRequests', { consumers: [mover], request })).toMatchObject({
      __typename: 'RememberRequestsPayload',
    });
    const { groups } = requestOf({ VCPU: 1 });
    const there = { groups: groups.map((group: object) => ({ ...group, inTree: { name } })) };
    const plan = await planned({
      members: [
        { name: 'big', requests: [requestOf({ VCPU: 8 })], consumers: [big] },
        { name: 'small', requests: [there], consumers: [small] },
      ],
    });
    expect(plan).toMatchObject({
      outcome: 'FOUND',
      plans: [
        {
          moves: [
            {
              consumer: { uuid: mover },
              to: [{ resourceProvider: { name: name === 'host2' ? 'host3' : 'host2' } }],
            },
          ],
        },
      ],
    });
    for (const consumer of [mover, ...fixed]) await api.mutate('deleteConsumer', { consumer });
  },
);

test('the consumers of a full workload stay while room is made for one more', async () => {
  const random = new Random(7);
  const members: object[] = [];
  for (const host of FULL) {
    const first = random.between(150, 450);
    const second = random.between(150, 450);
    for (const amount of [first, second, 1000 - first - second]) {
      const [consumer] = newConsumers();
      const uuid = uuidOf('provider', host);
      const answer = await setAllocations(api, {
        ...takes(consumer.consumer, null, { [uuid]: { DISK_GB: amount } }),
        ...{ projectId: consumer.projectId, userId: consumer.userId },
      });
      expect(answer).toMatchObject({ __typename: 'SetAllocationsPayload' });
      members.push({
        name: `m${members.length}`,
        requests: [requestOf({ DISK_GB: amount })],
        consumers: [{ ...consumer, generation: 1 }],
      });
    }
  }
  const spare = uuidOf('provider', 'spare');
  const mover = await claimed(api, { [spare]: { DISK_GB: 4 } }, { consumerType: 'BATCH' });
  const [added] = newConsumers();
  members.push({ name: 'added', requests: [requestOf({ DISK_GB: 10 })], consumers: [added] });
  const plan = await planned({ members });
  expect(plan).toMatchObject({
    outcome: 'FOUND',
    plans: [
      {
        movedCount: 0,
        moves: [{ consumer: { uuid: mover }, to: [{ resourceProvider: { name: 'aside' } }] }],
      },
    ],
  });
});
