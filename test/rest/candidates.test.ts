import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { inventory } from '../ledger/support.js';
import { consumerOf } from '../ledger/treeSupport.js';
import { useRest } from './rest.js';

const server = useRest();
const { rest } = server;

const HOSTS = Array.from({ length: 4 }, () => randomUUID());
const NODES = Array.from({ length: 4 }, () => randomUUID());
const AGGREGATE = randomUUID();
const TRAIT = 'HW_CPU_X86_AVX2';

/** Each host has memory and a disk, and two nodes with processors below the first two hosts. */
beforeAll(async () => {
  const { ledger } = server.database;
  for (const [at, uuid] of HOSTS.entries()) {
    const amounts = at < 2 ? ['MEMORY_MB', 'DISK_GB'] : ['MEMORY_MB', 'DISK_GB', 'VCPU'];
    const inventories = amounts.map((name) => inventory(name, 100));
    const traits = at === 0 ? [TRAIT] : [];
    await createProvider(ledger, {
      name: `host-${at}`,
      uuid,
      inventories,
      traits,
      aggregates: at < 3 ? [AGGREGATE] : [],
    });
  }
  for (const [at, uuid] of NODES.entries())
    await createProvider(ledger, {
      name: `node-${at}`,
      uuid,
      parent: HOSTS[at % 2],
      inventories: [inventory('VCPU', 8)],
    });
});

interface Answer {
  allocation_requests: {
    allocations: Record<string, { resources: object }>;
    mappings: Record<string, string[]>;
  }[];
  provider_summaries: Record<string, { resources: object; traits?: string[] }>;
}

async function candidates(query: string, version = 39): Promise<Answer> {
  const answer = await rest('GET', `/allocation_candidates?${query}`, { version });
  expect([query, answer.status, answer.json.errors]).toEqual([query, 200, undefined]);
  return answer.json as unknown as Answer;
}

const usedIn = ({ allocation_requests: found }: Answer): string[][] =>
  found.map(({ allocations }) => Object.keys(allocations).sort()).sort();

describe('GET /allocation_candidates', () => {
  test('lists amounts, mappings and the summaries of whole trees', async () => {
    const found = await candidates('resources=VCPU:1,MEMORY_MB:10');
    expect(usedIn(found)).toEqual(
      [...NODES.map((node, at) => [node, HOSTS[at % 2]].sort()), [HOSTS[2]], [HOSTS[3]]].sort(),
    );
    for (const { allocations, mappings } of found.allocation_requests) {
      expect(mappings['']).toHaveLength(Object.keys(allocations).length);
      expect(Object.assign({}, ...Object.values(allocations).map(({ resources }) => resources))).toEqual({
        VCPU: 1,
        MEMORY_MB: 10,
      });
    }
    expect(Object.keys(found.provider_summaries).sort()).toEqual([...HOSTS, ...NODES].sort());
    expect(found.provider_summaries[NODES[0]]).toEqual({
      resources: { VCPU: { capacity: 8, used: 0 } },
      traits: [],
      parent_provider_uuid: HOSTS[0],
      root_provider_uuid: HOSTS[0],
    });
    expect(found.provider_summaries[HOSTS[0]].traits).toEqual([TRAIT]);
  });

  test('below 1.29 a candidate has at most one provider of a tree, also if a limit cuts the list', async () => {
    const wide = await candidates('resources=VCPU:1,MEMORY_MB:10', 28);
    expect(usedIn(wide)).toEqual([[HOSTS[2]], [HOSTS[3]]].sort());
    expect(Object.keys(wide.provider_summaries).sort()).toEqual(HOSTS.slice(2).sort());
    expect((await candidates('resources=VCPU:1,MEMORY_MB:10&limit=1', 28)).allocation_requests).toHaveLength(
      1,
    );
    expect(usedIn(await candidates('resources=VCPU:1', 28))).toEqual(
      [...NODES, HOSTS[2], HOSTS[3]].map((uuid) => [uuid]).sort(),
    );
  });

  test('has the members of each version', async () => {
    const query = 'resources=VCPU:1,MEMORY_MB:10';
    const oldest = (await candidates(query, 10)) as unknown as { allocation_requests: object[] };
    expect(oldest.allocation_requests[0]).toEqual({
      allocations: [
        { resource_provider: { uuid: expect.any(String) }, resources: { VCPU: 1, MEMORY_MB: 10 } },
      ],
    });
    const summaryOf = async (version: number) =>
      (await candidates(query, version)).provider_summaries[HOSTS[2]];
    const requested = { MEMORY_MB: { capacity: 100, used: 0 }, VCPU: { capacity: 100, used: 0 } };
    const all = { ...requested, DISK_GB: { capacity: 100, used: 0 } };
    expect(await summaryOf(12)).toEqual({ resources: requested });
    expect(await summaryOf(17)).toEqual({ resources: requested, traits: [] });
    expect(await summaryOf(27)).toEqual({ resources: all, traits: [] });
    expect((await candidates(query, 33)).allocation_requests[0].mappings).toBeUndefined();
  });

  test('a summary follows each change of its provider', async () => {
    const query = `resources=DISK_GB:1&in_tree=${HOSTS[3]}`;
    const read = async () => (await candidates(query)).provider_summaries[HOSTS[3]];
    expect(await read()).toMatchObject({ resources: { DISK_GB: { used: 0 } } });
    const consumer = randomUUID();
    await setAllocations(server.database.claims, {
      consumers: [consumerOf(consumer, { [HOSTS[3]]: { DISK_GB: 7 } })],
    });
    expect(await read()).toMatchObject({ resources: { DISK_GB: { used: 7 } } });
    await rest('DELETE', `/allocations/${consumer}`);
    expect(await read()).toMatchObject({ resources: { DISK_GB: { used: 0 } } });
  });

  test('reads traits, aggregates, trees, groups and subtrees', async () => {
    const first = [HOSTS[0]];
    expect(usedIn(await candidates(`resources=DISK_GB:1&required=${TRAIT}`))).toEqual([first]);
    expect(usedIn(await candidates(`resources=DISK_GB:1&required=!${TRAIT}`))).toHaveLength(3);
    expect(usedIn(await candidates(`resources=DISK_GB:1&required=in:${TRAIT},HW_CPU_X86_MMX`))).toEqual([
      first,
    ]);
    expect(usedIn(await candidates(`resources=DISK_GB:1&root_required=${TRAIT}`))).toEqual([first]);
    expect(usedIn(await candidates(`resources=DISK_GB:1&member_of=!${AGGREGATE}`))).toEqual([[HOSTS[3]]]);
    expect(
      usedIn(await candidates(`resources=DISK_GB:1&member_of=in:${AGGREGATE},${randomUUID()}`)),
    ).toHaveLength(3);
    expect(usedIn(await candidates(`resources=DISK_GB:1&in_tree=${NODES[1]}`))).toEqual([[HOSTS[1]]]);
    expect(usedIn(await candidates(`resources=DISK_GB:1&in_tree=${randomUUID()}`))).toEqual([]);
    const two = 'resources_A=VCPU:1&resources_B=VCPU:1';
    expect((await candidates(`${two}&group_policy=isolate`)).allocation_requests).toHaveLength(4);
    const apart = await candidates(`${two}&group_policy=none&same_subtree=_A,_B&in_tree_A=${HOSTS[0]}`);
    expect(apart.allocation_requests.map(({ mappings }) => mappings)).toEqual(
      expect.arrayContaining([
        { _A: [NODES[0]], _B: [NODES[0]] },
        { _A: [NODES[2]], _B: [NODES[2]] },
      ]),
    );
    expect(apart.allocation_requests).toHaveLength(2);
  });

  test('rejects malformed queries in the form of Placement', async () => {
    const text = (value: string) => expect.stringContaining(value);
    for (const [query, version, detail, code] of [
      ['', 39, 'There must be at least one resources', 'placement.query.missing_value'],
      ['resources=', 39, 'Badly formed resources parameter'],
      ['resources=VCPU', 39, 'Badly formed resources parameter'],
      ['resources=VCPU:0', 39, 'VCPU'],
      ['resources=VCPU:x', 39, 'VCPU'],
      ['resources=CUSTOM_NONE:1', 39, 'CUSTOM_NONE'],
      ['resources=VCPU:1&required=CUSTOM_B,CUSTOM_A', 39, 'No such trait(s): CUSTOM_A, CUSTOM_B'],
      ['resources=VCPU:1&required=', 39, 'empty trait'],
      [`resources=VCPU:1&required=${TRAIT},!${TRAIT}`, 39, 'Conflicting required and forbidden traits'],
      [`resources=VCPU:1&required=in:${TRAIT}`, 38, 'only supported since microversion 1.39'],
      ['resources=VCPU:1&member_of=none', 39, 'valid UUID(s)'],
      ['resources=VCPU:1&in_tree=none', 39, 'in_tree'],
      ['resources=VCPU:1&limit=0', 39, 'Invalid query string parameters'],
      ['resources=VCPU:1&limit=x', 39, 'Invalid query string parameters'],
      ['resources=VCPU:1&other=1', 39, "'other'"],
      ['resources=VCPU:1&resources_A=VCPU:1', 32, "'resources_A'"],
      ['resources1=VCPU:1&resources2=VCPU:1', 39, 'group_policy'],
      ['resources1=VCPU:1&group_policy=some', 39, "'some' is not one of ['none', 'isolate']"],
      ['resources=VCPU:1&same_subtree=_A', 39, 'Real suffixes', 'placement.query.bad_value'],
      ['resources=VCPU:1&same_subtree=', 39, 'Empty string', 'placement.query.bad_value'],
      [
        'resources=VCPU:1&required_A=HW_CPU_X86_MMX',
        39,
        'Resourceless suffixed group',
        'placement.query.bad_value',
      ],
      ['resources=VCPU:1&required1=HW_CPU_X86_MMX', 35, 'orphaned traits keys: required1'],
      [
        `resources=VCPU:1&root_required=${TRAIT}&root_required=${TRAIT}`,
        39,
        'only once',
        'placement.query.duplicate_key',
      ],
    ] as const) {
      const answer = await rest('GET', `/allocation_candidates?${query}`, { version });
      expect([query, answer.status]).toEqual([query, 400]);
      const [error] = answer.json.errors;
      expect([query, error]).toEqual([
        query,
        expect.objectContaining({ detail: text(detail), code: code ?? 'placement.undefined_code' }),
      ]);
    }
    expect(await rest('GET', '/allocation_candidates?resources=VCPU:1', { version: 9 })).toMatchObject({
      status: 404,
    });
  });
});
