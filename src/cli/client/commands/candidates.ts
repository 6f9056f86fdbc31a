import type { Command } from 'commander';
import {
  CountHeadroomDocument,
  ExplainDocument,
  ListCandidatesDocument,
  type AllocationRequestFieldsFragment,
  type EliminationFieldsFragment,
  type ListCandidatesQuery,
} from '../../../generated/client/operations.js';
import { wholeNumber } from '../arguments.js';
import { amounts, fields, tableOf } from '../output.js';
import { addRequestCommand } from '../request.js';

const DEFAULT_LIMIT = 10;

export function addCandidateCommands(program: Command): void {
  addRequestCommand(
    program,
    'candidates',
    'search allocation candidates: VCPU=2 MEMORY_MB=4096',
    [['--limit <number>', 'maximum number of candidates', wholeNumber(1), DEFAULT_LIMIT]],
    async (client, { limit }: { limit: number }, request) => {
      const input = await request();
      const { allocationCandidates } = await client.run(ListCandidatesDocument, { request: input, limit });
      const { allocationRequests, providerSummaries, complete } = allocationCandidates!;
      const rows = allocationRequests.flatMap((each, at) => rowsOf(each, at + 1, providerSummaries));
      const hasGroups = input.groups.some(({ suffix }) => (suffix ?? '') !== '');
      const table = tableOf(rows, {
        '#': 'number',
        provider: 'provider',
        takes: 'takes',
        'used/capacity': 'capacities',
        ...(hasGroups && { groups: 'groups' }),
      });
      return {
        data: allocationCandidates,
        blocks: [
          rows.length === 0 ? 'no candidates: `why` tells the reason' : table,
          ...(complete ? [] : ['there are more: --limit']),
        ],
      };
    },
  );
  addRequestCommand(
    program,
    'why',
    'explain why a request has few or no candidates',
    [],
    async (client, _options, request) => {
      const { allocationCandidates } = await client.run(ExplainDocument, { request: await request() });
      const explanation = allocationCandidates!.explanation!;
      const { summary, satisfiableWhenEmpty, groups, combination } = explanation;
      const steps = [
        ...groups.flatMap(({ suffix, considered, eliminations }) => [
          { group: suffix || '(unsuffixed)', eliminated: null, remaining: considered, detail: 'considered' },
          ...eliminations.map((each) => stepOf(suffix || '(unsuffixed)', each)),
        ]),
        ...combination.map((each) => stepOf('all together', each)),
      ];
      return {
        data: explanation,
        blocks: [
          summary,
          tableOf(steps, { group: 'group', eliminated: 'eliminated', left: 'remaining', reason: 'detail' }),
          `If nothing were allocated there would be ${satisfiableWhenEmpty ? 'a candidate' : 'no candidate either'}.`,
        ],
      };
    },
  );
  addRequestCommand(
    program,
    'headroom',
    'count how many times a request fits',
    [['--up-to <number>', 'stop counting at this number', wholeNumber(1), 1_000]],
    async (client, { upTo }: { upTo: number }, request) => {
      const { headroom } = await client.run(CountHeadroomDocument, { request: await request(), upTo });
      const { count, exact, reachedUpTo, trees } = headroom!;
      const more = reachedUpTo ? ' or more' : exact ? '' : ' at least';
      return { data: headroom, blocks: [fields({ fit: `${count}${more}`, trees })] };
    },
  );
}

/** A row for each provider of a candidate. */
function rowsOf(
  { allocations, mappings }: AllocationRequestFieldsFragment,
  number: number,
  summaries: NonNullable<ListCandidatesQuery['allocationCandidates']>['providerSummaries'],
) {
  return allocations.map(({ resourceProvider: { uuid, name }, resources }) => {
    const summary = summaries.find(({ resourceProvider }) => resourceProvider.uuid === uuid);
    const classes = resources.map(({ resourceClass }) => resourceClass);
    return {
      number,
      provider: name,
      takes: amounts(resources),
      capacities: (summary?.resources ?? [])
        .filter(({ resourceClass }) => classes.includes(resourceClass))
        .map(({ resourceClass, used, capacity }) => `${resourceClass}=${used}/${capacity}`)
        .join(', '),
      groups: mappings
        .filter(({ resourceProviders }) => resourceProviders.some((each) => each.uuid === uuid))
        .map(({ suffix }) => suffix || '(unsuffixed)')
        .join(', '),
    };
  });
}

function stepOf(group: string, { eliminated, remaining, detail }: EliminationFieldsFragment) {
  return { group, eliminated, remaining, detail };
}
