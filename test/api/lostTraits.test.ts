import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, claimInput, requestOf } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';

const { database, api } = useApi({ hasBackground: false });
const provider = (name: string): string => uuidOf('provider', name);

const FLEET = `
  old      VCPU:8  @pool  +HW_CPU_X86_AVX512F +HW_CPU_X86_SSE +COMPUTE_STATUS_DISABLED
  new      VCPU:8  @pool  +HW_CPU_X86_SSE
  storage  DISK_GB:100 @pool sharing +STORAGE_DISK_SSD
`;
const LOST = { traitsLost: ['HW_CPU_X86_AVX512F'] };

test('each plan lists the traits that a move loses, without those of sharing providers and maintenance', async () => {
  await loadForest(database, forest(FLEET));
  const amounts = { [provider('old')]: { VCPU: 2 }, [provider('storage')]: { DISK_GB: 10 } };
  const consumer = await claimed(api, amounts);
  const owner = { projectId: 'p', userId: 'u' };
  const known = { ...owner, consumer, generation: 1 };
  const request = requestOf({ VCPU: 1 }, { forbiddenTraits: ['HW_CPU_X86_AVX512F'] });
  const fresh = { ...owner, consumer: uuidOf('consumer', 'new') };
  const found = await api.read(
    `query ($old: UUID!, $input: ClaimInput!, $requests: [DrainRequestInput!]!) {
      planDrain(from: { providers: { uuid: $old } }) { moves { traitsLost } }
      planRebalance(input: { goal: FIX, requests: $requests }) { moves { traitsLost } }
      planWorkload(input: $input) { plans { consumers { traitsLost } } }
    }`,
    {
      old: provider('old'),
      input: claimInput(request, [known, fresh]),
      requests: [{ consumers: { uuid: consumer }, request }],
    },
  );
  expect(found).toEqual({
    planDrain: { moves: [LOST] },
    planRebalance: { moves: [LOST] },
    planWorkload: { plans: [{ consumers: [LOST, { traitsLost: [] }] }] },
  });
});

test('a drain that loses a trait of a NUMA node lists it, and keepTraits prevents the loss', async () => {
  const numa = 'VCPU:4 +HW_NUMA_ROOT';
  await loadForest(
    database,
    forest(`
      old
        old0   ${numa} +CUSTOM_FAST
      none     VCPU:8
      fast     VCPU:8 +CUSTOM_FAST +HW_NUMA_ROOT
    `),
  );
  await claimed(api, { [provider('old0')]: { VCPU: 2 } });
  await claimed(api, { [provider('none')]: { VCPU: 1 } });
  const query = `query ($old: UUID!, $keep: Boolean!) {
    planDrain(from: { providers: { uuid: $old } }, keepTraits: $keep) { moves { traitsLost } }
    planRebalance(input: { goal: FREE_HOSTS, keepTraits: $keep, maxMoves: 1 }) {
      moves { traitsLost to { resourceProvider { name } } }
    }
  }`;
  const plans = (keep: boolean) => api.read(query, { old: provider('old'), keep });
  expect(await plans(false)).toMatchObject({
    planDrain: { moves: [{ traitsLost: ['CUSTOM_FAST', 'HW_NUMA_ROOT'] }] },
  });
  expect(await plans(true)).toMatchObject({
    planDrain: { moves: [{ traitsLost: [] }] },
    planRebalance: { moves: [{ traitsLost: [] }] },
  });
});
