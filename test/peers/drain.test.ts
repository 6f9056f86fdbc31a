import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumers } from '../support/manyConsumers.js';
import type { Named } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });
const provider = (name: string): string => uuidOf('provider', name);

interface Plan {
  readonly complete: boolean;
  readonly next: string | null;
  readonly moves: {
    readonly consumer: { readonly uuid: string };
    readonly traitsLost: string[];
    readonly allocationRequest: { readonly allocations: { readonly resourceProvider: Named }[] } | null;
    readonly explanation?: { readonly summary: string } | null;
  }[];
}

async function drain(root: string, more: object = {}, selection = ''): Promise<Plan> {
  const { planDrain } = await api.read<{ planDrain: Plan }>(
    `query ($root: UUID!, $keepTraits: Boolean! = false, $after: String, $requests: [DrainRequestInput!]! = []) {
      planDrain(from: { providers: { uuid: $root } }, keepTraits: $keepTraits, after: $after, requests: $requests) {
        complete next
        moves {
          consumer { uuid } traitsLost ${selection}
          allocationRequest { allocations { resourceProvider { name } } }
        }
      }
    }`,
    { root: provider(root), ...more },
  );
  return planDrain;
}

test('Nova: a forced live migration skips the filters, so that a guest lands without its processor feature', async () => {
  await loadForest(
    database,
    forest(`
      old    PCPU:16 +HW_CPU_X86_AVX512F +HW_CPU_X86_SSE42
      plain  PCPU:16(used=1) +HW_CPU_X86_SSE42
      same   PCPU:16 +HW_CPU_X86_AVX512F +HW_CPU_X86_SSE42
    `),
  );
  await claimed(api, { [provider('old')]: { PCPU: 4 } });
  const target = ({ moves }: Plan) => [
    moves[0].allocationRequest?.allocations[0].resourceProvider.name,
    moves[0].traitsLost,
  ];
  expect(target(await drain('old'))).toEqual(['plain', ['HW_CPU_X86_AVX512F']]);
  expect(target(await drain('old', { keepTraits: true }))).toEqual(['same', []]);
});

test('Nomad: a node drains in batches, and the drain ends only when the last allocation has gone', async () => {
  await loadForest(database, forest('old VCPU:4000\nnew1 VCPU:900\nnew2 VCPU:900\nnew3 VCPU:900'));
  await addConsumers(database, provider('old'), 2103);
  const targets: Record<string, number> = {};
  const moved = new Set<string>();
  let part = await drain('old');
  for (;;) {
    expect(part.moves.length).toBeLessThanOrEqual(1000);
    for (const { consumer, allocationRequest } of part.moves) {
      moved.add(consumer.uuid);
      const { name } = allocationRequest!.allocations[0].resourceProvider;
      targets[name] = (targets[name] ?? 0) + 1;
    }
    if (part.next === null) break;
    expect(part.complete).toBe(false);
    part = await drain('old', { after: part.next });
  }
  expect(part.complete).toBe(true);
  expect(moved.size).toBe(2103);
  expect(Object.values(targets).sort()).toEqual([303, 900, 900]);
});

test('Nova: a server group with anti-affinity on as many hosts as members leaves "no valid host"', async () => {
  await loadForest(database, forest('old VCPU:4\nnew VCPU:4'));
  const [one, two] = [
    await claimed(api, { [provider('old')]: { VCPU: 1 } }),
    await claimed(api, { [provider('new')]: { VCPU: 1 } }),
  ];
  const request = {
    groups: { resources: { resourceClass: 'VCPU', amount: 1 } },
    awayFromConsumers: [two],
  };
  const requests = [{ consumers: { uuid: one }, request }];
  const [move] = (await drain('old', { requests }, 'explanation { summary }')).moves;
  expect(move.explanation?.summary).toMatch(
    / are away from consumers .*; it would fit if nothing were allocated/,
  );
});
