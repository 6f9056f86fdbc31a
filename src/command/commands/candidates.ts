import * as api from '../../generated/client/operations.js';
import type { Command } from '../command.js';
import { number } from '../options.js';
import { amountsIn, capacitiesIn, list, object, say, tableOf } from '../output.js';
import { requestCommand } from '../request.js';
import { WHAT_IF, whatIfOf } from '../whatIf.js';

export const CANDIDATE_COMMANDS: readonly Command[] = [
  requestCommand(
    'candidates',
    'search allocation candidates: VCPU=2 MEMORY_MB=4096',
    { limit: number('--limit <number>', 'maximum number of candidates', 1, 10), ...WHAT_IF },
    async (client, { limit, ...modified }, request) => {
      const variables = { request: await request.read(), limit, whatIf: whatIfOf(modified) };
      const { allocationCandidates } = await client.run(api.ListCandidatesDocument, variables);
      const { allocationRequests, complete } = allocationCandidates!;
      const hasGroups = variables.request.groups.some(({ suffix }) => (suffix ?? '') !== '');
      const { blocks } = list(
        rowsOf(allocationCandidates!, hasGroups),
        undefined,
        'no candidates: `why` tells the reason',
      );
      if (!complete) say('there are more: --limit NUMBER prints them');
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
      const variables = { request: await request.read(), whatIf: whatIfOf(modified) };
      const { allocationCandidates } = await client.run(api.ExplainDocument, variables);
      const explanation = allocationCandidates!.explanation!;
      const { summary, groups, combination } = explanation;
      const steps = groups.flatMap(({ suffix, considered, eliminations }) => [
        { group: suffix || UNSUFFIXED, remaining: considered, detail: 'considered' },
        ...eliminations.map((each) => ({ group: suffix || UNSUFFIXED, ...each })),
      ]);
      const all = [...steps, ...combination.map((each) => ({ group: 'all together', ...each }))];
      const columns = { group: 'group', eliminated: 'eliminated', left: 'remaining', reason: 'detail' };
      return { data: explanation, blocks: [summary, tableOf(all, columns)] };
    },
  ),
  requestCommand(
    'headroom',
    'count how many times a request fits',
    { upTo: number('--up-to <number>', 'stop counting at this number', 1, 1_000), ...WHAT_IF },
    async (client, { upTo, ...modified }, request) => {
      const variables = { request: await request.read(), upTo, whatIf: whatIfOf(modified) };
      const { headroom } = await client.run(api.CountHeadroomDocument, variables);
      const { count, exact, reachedUpTo, trees } = headroom!;
      const more = reachedUpTo ? ' or more' : exact ? '' : ' at least';
      return object(headroom, { fit: `${count}${more}`, trees });
    },
  ),
];

const UNSUFFIXED = '(unsuffixed)';

/** Returns a row for each provider of each candidate. */
function rowsOf(
  { allocationRequests, providerSummaries }: NonNullable<api.ListCandidatesQuery['allocationCandidates']>,
  hasGroups: boolean,
) {
  return allocationRequests.flatMap(({ allocations, mappings }, at) =>
    allocations.map(({ resourceProvider: { uuid, name }, resources }) => {
      const summary = providerSummaries.find(({ resourceProvider }) => resourceProvider.uuid === uuid);
      const classes = resources.map(({ resourceClass }) => resourceClass.name);
      const served = mappings.filter(({ resourceProviders }) =>
        resourceProviders.some((each) => each.uuid === uuid),
      );
      return {
        '#': at + 1,
        provider: name,
        takes: amountsIn(resources),
        'used/capacity': capacitiesIn(
          (summary?.resources ?? []).filter(({ resourceClass }) => classes.includes(resourceClass.name)),
        ),
        ...(hasGroups && { groups: served.map(({ suffix }) => suffix || UNSUFFIXED).join(', ') }),
      };
    }),
  );
}
