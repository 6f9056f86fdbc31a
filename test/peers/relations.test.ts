import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, requestOf } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import type { Named } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });
const provider = (name: string): string => uuidOf('provider', name);
const host = (name: string) => ({ [provider(name)]: { VCPU: 2 } });

interface Move {
  readonly consumer: { readonly uuid: string };
  readonly allocationRequest: { readonly allocations: { readonly resourceProvider: Named }[] } | null;
  readonly explanation: { readonly summary: string } | null;
}

type Relations = Readonly<Record<string, object>>;

/** Plans to drain `old`. Returns the new host of each consumer; the explanation of one that stays. */
async function drain(relations: Relations): Promise<Map<string, string | undefined>> {
  const { planDrain } = await api.read<{ planDrain: { moves: Move[] } }>(
    `query ($root: UUID!, $requests: [DrainRequestInput!]!) {
      planDrain(from: { providers: { uuid: $root } }, requests: $requests) {
        moves {
          consumer { uuid }
          allocationRequest { allocations { resourceProvider { name } } }
          explanation { summary }
        }
      }
    }`,
    {
      root: provider('old'),
      requests: Object.entries(relations).map(([uuid, relation]) => ({
        consumers: { uuid },
        request: { ...requestOf({ VCPU: 2 }), ...relation },
      })),
    },
  );
  return new Map(
    planDrain.moves.map(({ consumer, allocationRequest, explanation }) => [
      consumer.uuid,
      allocationRequest?.allocations[0].resourceProvider.name ?? explanation?.summary,
    ]),
  );
}

const load = (picture: string): Promise<void> => loadForest(database, forest(picture));

test('Nova: servers of an anti-affinity group that leave a host at the same time meet on another host', async () => {
  await load('old VCPU:8\na VCPU:8\nb VCPU:8');
  const [one, other] = [await claimed(api, host('old')), await claimed(api, host('old'))];
  for (const [namer, named] of [
    [one, other],
    [other, one],
  ]) {
    const goals = await drain({ [namer]: { awayFromConsumers: [named] } });
    expect([...goals.values()].sort()).toEqual(['a', 'b']);
  }
});

test('Nova: a server with a policy of its own stays elsewhere, and evacuated servers arrive beside it', async () => {
  await load('old VCPU:8\na VCPU:8\nb VCPU:8');
  const leaving = await claimed(api, host('old'));
  for (const name of ['a', 'b']) {
    const staying = await claimed(api, host(name));
    const goals = await drain({ [staying]: { awayFromConsumers: [leaving] } });
    expect(goals.get(leaving)).not.toBe(name);
  }
});

test('Nova: a server of an affinity group cannot leave its host, because the others are still there', async () => {
  await load('old VCPU:8\nsmall VCPU:3\nlarge VCPU:6(used=2)');
  const [one, other] = [await claimed(api, host('old')), await claimed(api, host('old'))];
  const both = { [one]: { nearConsumers: [other] }, [other]: { nearConsumers: [one] } };
  expect([...(await drain(both)).values()]).toEqual(['large', 'large']);
  expect([...(await drain({ [other]: { nearConsumers: [one] } })).values()]).toEqual(['large', 'large']);
});

test('Nova: of an affinity group that fits nowhere together, all stay, and the reason names the group', async () => {
  await load('old VCPU:8\nsmall VCPU:3');
  const [one, other] = [await claimed(api, host('old')), await claimed(api, host('old'))];
  const goals = await drain({ [one]: { nearConsumers: [other] } });
  const reason = /0 of 1 tree(s)? .*near/i;
  expect([...goals.values()]).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)]);
});
