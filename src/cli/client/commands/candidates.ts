import * as api from '../../../generated/client/operations.js';
import type { Command } from '../command.js';
import { number } from '../options.js';
import { amounts, amountsOf, list, object, tableOf } from '../output.js';
import { requestCommand } from '../request.js';
import { WHAT_IF, whatIfOf } from '../whatIf.js';

export const CANDIDATE_COMMANDS: readonly Command[] = [
  requestCommand(
    'candidates',
    'search allocation candidates: VCPU=2 MEMORY_MB=4096',
    { limit: number('--limit <number>', 'maximum number of candidates', 1, 10), ...WHAT_IF },
    async (client, { limit, ...modified }, request) => {
      const input = await request.read();
      const { allocationCandidates } = await client.run(api.ListCandidatesDocument, {
        request: input,
        limit,
        whatIf: whatIfOf(modified),
      });
      const { allocationRequests, providerSummaries, complete } = allocationCandidates!;
      const rows = allocationRequests.flatMap((each, at) => rowsOf(each, at + 1, providerSummaries));
      const hasGroups = input.groups.some(({ suffix }) => (suffix ?? '') !== '');
      const none = 'no candidates: `why` tells the reason';
      const { blocks } = list(
        rows,
        {
          '#': 'number',
          provider: 'provider',
          takes: 'takes',
          'used/capacity': 'capacities',
          ...(hasGroups && { groups: 'groups' }),
        },
        none,
      );
      if (!complete) console.error('there are more: --limit NUMBER prints them');
      // the names of candidates are the tokens that `claim --candidate` takes
      const names = allocationRequests.map(({ claimToken }) => claimToken);
      return { data: allocationCandidates, blocks, names };
    },
  ),
  requestCommand(
    'why',
    'explain why a request has few or no candidates',
    WHAT_IF,
    async (client, modified, request) => {
      const { allocationCandidates } = await client.run(api.ExplainDocument, {
        request: await request.read(),
        whatIf: whatIfOf(modified),
      });
      const explanation = allocationCandidates!.explanation!;
      const { summary, groups, combination } = explanation;
      const steps = groups.flatMap(({ suffix, considered, eliminations }) => [
        { group: suffix || '(unsuffixed)', remaining: considered, detail: 'considered' },
        ...eliminations.map((each) => ({ group: suffix || '(unsuffixed)', ...each })),
      ]);
      const all = [...steps, ...combination.map((each) => ({ group: 'all together', ...each }))];
      return {
        data: explanation,
        blocks: [
          summary,
          tableOf(all, { group: 'group', eliminated: 'eliminated', left: 'remaining', reason: 'detail' }),
        ],
      };
    },
  ),
  requestCommand(
    'headroom',
    'count how many times a request fits',
    { upTo: number('--up-to <number>', 'stop counting at this number', 1, 1_000), ...WHAT_IF },
    async (client, { upTo, ...modified }, request) => {
      const { headroom } = await client.run(api.CountHeadroomDocument, {
        request: await request.read(),
        upTo,
        whatIf: whatIfOf(modified),
      });
      const { count, exact, reachedUpTo, trees } = headroom!;
      const more = reachedUpTo ? ' or more' : exact ? '' : ' at least';
      return object(headroom, { fit: `${count}${more}`, trees });
    },
  ),
];

type Candidates = NonNullable<api.ListCandidatesQuery['allocationCandidates']>;

/** Returns a row for each provider of a candidate. */
function rowsOf(
  { allocations, mappings }: api.AllocationRequestFieldsFragment,
  number: number,
  summaries: Candidates['providerSummaries'],
) {
  return allocations.map(({ resourceProvider: { uuid, name }, resources }) => {
    const summary = summaries.find(({ resourceProvider }) => resourceProvider.uuid === uuid);
    const classes = resources.map(({ resourceClass }) => resourceClass.name);
    return {
      number,
      provider: name,
      takes: amounts(amountsOf(resources)),
      capacities: (summary?.resources ?? [])
        .filter(({ resourceClass }) => classes.includes(resourceClass.name))
        .map(({ resourceClass, used, capacity }) => `${resourceClass.name}=${used}/${capacity}`)
        .join(', '),
      groups: mappings
        .filter(({ resourceProviders }) => resourceProviders.some((each) => each.uuid === uuid))
        .map(({ suffix }) => suffix || '(unsuffixed)')
        .join(', '),
    };
  });
}
