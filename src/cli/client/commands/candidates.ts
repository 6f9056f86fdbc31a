import type { Command } from 'commander';
import {
  CountHeadroomDocument,
  ExplainDocument,
  ListCandidatesDocument,
  type AllocationRequestFieldsFragment,
  type EliminationFieldsFragment,
  type ListCandidatesQuery,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { wholeNumber } from '../arguments/amounts.js';
import { RequestArguments, type RequestOptions } from '../arguments/request.js';
import type { Client } from '../connection/client.js';
import { amounts, fields, tableOf, type Output } from '../output/output.js';

const USUAL_LIMIT = 10;

export function addCandidateCommands(program: Command): void {
  const candidates = addCommand(
    program,
    'candidates [amounts...]',
    'where a request could go: VCPU=2 MEMORY_MB=4096',
  ).option('--limit <number>', 'the most candidates', wholeNumber(1), USUAL_LIMIT);
  addRequest(candidates, listAll);
  addRequest(
    addCommand(program, 'why [amounts...]', 'why a request has the candidates that it has, and no more'),
    explain,
  );
  addRequest(
    addCommand(program, 'headroom [amounts...]', 'how many more of a request fit').option(
      '--up-to <number>',
      'where to stop counting',
      wholeNumber(1),
      1_000,
    ),
    countHeadroom,
  );
}

type Perform<Options> = (
  client: Client,
  options: Options,
  request: Awaited<ReturnType<RequestArguments['input']>>,
) => Promise<Output>;

function addRequest<Options>(command: Command, perform: Perform<Options>): void {
  const request = new RequestArguments(command);
  command.action(
    action(async (client: Client, options: Options & RequestOptions, given: string[]) =>
      perform(client, options, await request.input(client, given, options)),
    ),
  );
}

type Summaries = NonNullable<ListCandidatesQuery['allocationCandidates']>['providerSummaries'];

const listAll: Perform<{ limit: number }> = async (client, { limit }, request) => {
  const { allocationCandidates } = await client.run(ListCandidatesDocument, { request, limit });
  const { allocationRequests, providerSummaries, complete } = allocationCandidates!;
  const rows = allocationRequests.flatMap((each, at) => rowsOf(each, at + 1, providerSummaries));
  const hasGroups = request.groups.some(({ suffix }) => (suffix ?? '') !== '');
  const table = tableOf(rows, {
    '#': ({ number }) => number,
    provider: ({ provider }) => provider,
    takes: ({ takes }) => takes,
    'used/capacity': ({ capacities }) => capacities,
    ...(hasGroups && { groups: ({ groups }: CandidateRow) => groups }),
  });
  return {
    data: allocationCandidates,
    blocks: [
      rows.length === 0 ? 'no candidates: `why` tells the reason' : table,
      ...(complete ? [] : ['there are more: --limit']),
    ],
  };
};

interface CandidateRow {
  readonly number: number;
  readonly provider: string;
  readonly takes: string;
  readonly capacities: string;
  readonly groups: string;
}

/** A row for each provider of a candidate. */
function rowsOf(
  { allocations, mappings }: AllocationRequestFieldsFragment,
  number: number,
  summaries: Summaries,
): CandidateRow[] {
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

const explain: Perform<object> = async (client, _options, request) => {
  const { allocationCandidates } = await client.run(ExplainDocument, { request });
  const { explanation } = allocationCandidates!;
  const { summary, satisfiableWhenEmpty, groups, combination } = explanation!;
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
      tableOf(steps, {
        group: (each) => each.group,
        eliminated: (each) => each.eliminated,
        left: (each) => each.remaining,
        reason: (each) => each.detail,
      }),
      `If nothing were allocated there would be ${satisfiableWhenEmpty ? 'a candidate' : 'no candidate either'}.`,
    ],
  };
};

function stepOf(group: string, { eliminated, remaining, detail }: EliminationFieldsFragment) {
  return { group, eliminated, remaining, detail };
}

const countHeadroom: Perform<{ upTo: number }> = async (client, { upTo }, request) => {
  const { headroom } = await client.run(CountHeadroomDocument, { request, upTo });
  const { count, exact, reachedUpTo, trees } = headroom!;
  const more = reachedUpTo ? ' or more' : exact ? '' : ' at least';
  return { data: headroom, blocks: [fields({ fit: `${count}${more}`, trees })] };
};
