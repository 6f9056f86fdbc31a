import { Option, type Command } from 'commander';
import type {
  AllocationCandidatesInput,
  CandidateStrategy,
  RequestGroupInput,
} from '../../generated/client/operations.js';
import {
  collect,
  providerUuid,
  readAlternatives,
  readAmounts,
  readInput,
  texts,
  wholeNumber,
  type Amount,
} from './arguments.js';
import type { Client } from './client.js';
import { addCommand, type OptionRow } from './command.js';
import { Failure } from './failure.js';
import type { Output } from './output.js';

interface Group extends Required<Pick<RequestGroupInput, GroupList>> {
  readonly suffix: string;
  /** Uuids or names of providers. */
  inTree?: string;
  inSubtree?: string;
}

type GroupList =
  'resources' | 'requiredTraits' | 'forbiddenTraits' | 'memberOf' | 'forbiddenAggregates' | 'canSplit';

/** Options for the request as a whole. */
interface RequestOptions {
  readonly request?: string;
  readonly groupPolicy?: 'none' | 'isolate';
  readonly isolate?: string[];
  readonly sameSubtree?: string[][];
  readonly rootRequired?: string[][];
  readonly rootForbidden?: string[];
  readonly notInTree?: string[];
  readonly awayFrom?: string[];
  readonly near?: string[];
  readonly order?: { strategy: CandidateStrategy; resourceClass: string }[];
  readonly seed?: number;
}

/** Returns the request of the command line. @param defaults amounts if it names none; without, it must name some */
export type ReadRequest = (defaults?: readonly Amount[]) => Promise<AllocationCandidatesInput>;

/** Adds a command whose last arguments are amounts, with all options of a request. */
export function addRequestCommand<Options>(
  parent: Command,
  usage: string,
  description: string,
  options: readonly OptionRow[],
  perform: (client: Client, options: Options, request: ReadRequest, ...args: string[]) => Promise<Output>,
): void {
  const groups = new Groups();
  addCommand(
    parent,
    `${usage} [amounts...]`,
    description,
    [...options, ...groups.options(), ...REQUEST_OPTIONS],
    (client, given: Options & RequestOptions, ...args: unknown[]) => {
      const unsuffixed = args.pop() as string[];
      const request: ReadRequest = (defaults) => readRequest(client, groups, unsuffixed, given, defaults);
      return perform(client, given, request, ...(args as string[]));
    },
  );
}

const GROUP_OPTIONS: [flags: string, description: string, add: (group: Group, text: string) => unknown][] = [
  [
    '--resource <amount>',
    'an amount: VCPU=2; repeatable',
    (group, text) => group.resources.push(...readAmounts(text)),
  ],
  [
    '--required <traits>',
    'a required trait; A,B: any of them; repeatable',
    (group, text) => group.requiredTraits.push(readAlternatives(text)),
  ],
  [
    '--forbidden <trait>',
    'a forbidden trait; repeatable',
    (group, trait) => group.forbiddenTraits.push(trait),
  ],
  [
    '--member-of <aggregates>',
    'an aggregate; A,B: any of them; repeatable',
    (group, text) => group.memberOf.push(readAlternatives(text)),
  ],
  [
    '--not-member-of <aggregate>',
    'a forbidden aggregate; repeatable',
    (group, aggregate) => group.forbiddenAggregates.push(aggregate),
  ],
  [
    '--split <class>',
    'a class whose amount may come from several providers',
    (group, name) => group.canSplit.push(name),
  ],
  ['--in-tree <provider>', 'only the tree of this provider', (group, provider) => (group.inTree = provider)],
  [
    '--in-subtree <provider>',
    'only this provider and its descendants',
    (group, provider) => (group.inSubtree = provider),
  ],
];

const REQUEST_OPTIONS: readonly OptionRow[] = [
  ['--request <file>', 'the whole request, JSON or YAML of AllocationCandidatesInput; - is standard input'],
  new Option('--group-policy <policy>', 'whether groups may share a provider').choices(['none', 'isolate']),
  ['--isolate <group>', 'a group that shares its provider with no other; repeatable', texts],
  [
    '--same-subtree <groups>',
    'groups whose providers must be in one subtree: A,B',
    collect(readAlternatives),
  ],
  ['--root-required <traits>', 'a trait of the root; A,B: any of them', collect(readAlternatives)],
  ['--root-forbidden <trait>', 'a trait that the root must not have', texts],
  ['--order <order>', 'spread:CLASS or pack:CLASS, best first; repeatable', collect(readOrder)],
  ['--not-in-tree <provider>', 'exclude the tree of this provider; repeatable', texts],
  ['--away-from <consumer>', 'exclude the trees of this consumer; repeatable', texts],
  ['--near <consumer>', 'only trees of one of these consumers; repeatable', texts],
  ['--seed <number>', 'makes a random order repeatable', wholeNumber(0)],
];

/** The groups of a command line: `--group NAME` begins one; options before belong to the unsuffixed group. */
class Groups {
  readonly all: Group[] = [];
  private current = emptyGroup('');

  options(): OptionRow[] {
    return [
      [
        '--group <name>',
        'begin a group, served by one provider: NAME, or NAME:VGPU=1',
        (text) => this.begin(text),
      ],
      ...GROUP_OPTIONS.map(([flags, description, add]): OptionRow => {
        const read = (text: string): void => {
          if (!this.all.includes(this.current)) this.all.push(this.current);
          add(this.current, text);
        };
        return [flags, description, read];
      }),
    ];
  }

  private begin(text: string): void {
    const [, suffix, amounts] = /^([\w-]+)(?::(.+))?$/.exec(text) ?? [];
    if (suffix === undefined)
      throw Failure.usage(`--group "${text}" must be a name, or a name and amounts: gpu:VGPU=1`);
    if (this.all.some((group) => group.suffix === suffix))
      throw Failure.usage(`--group ${suffix} is there twice`);
    this.current = emptyGroup(suffix);
    this.all.push(this.current);
    if (amounts !== undefined) this.current.resources.push(...readAmounts(amounts));
  }
}

async function readRequest(
  client: Client,
  { all: groups }: Groups,
  given: readonly string[],
  options: RequestOptions,
  defaults?: readonly Amount[],
): Promise<AllocationCandidatesInput> {
  const conditions = await conditionsOf(client, options);
  if (options.request !== undefined) {
    if (
      groups.length + given.length + Object.values(conditions).filter((each) => each !== undefined).length >
      0
    )
      throw Failure.usage('--request is the whole request: give no amounts, groups or conditions beside it');
    return readInput(options.request, '--request');
  }
  const hasAmounts = given.length > 0 || groups.some(({ resources }) => resources.length > 0);
  const amounts = hasAmounts ? given.flatMap(readAmounts) : defaults;
  if (amounts === undefined) throw Failure.usage('name the amounts, such as VCPU=2 MEMORY_MB=4096');
  return {
    groups: await Promise.all(
      withAmounts(groups, amounts).map(async (group) => ({
        ...group,
        inTree: await providerUuid(client, group.inTree),
        inSubtree: await providerUuid(client, group.inSubtree),
      })),
    ),
    ...conditions,
  };
}

/** The groups, with these amounts added to the unsuffixed one. */
function withAmounts(groups: readonly Group[], amounts: readonly Amount[]): readonly Group[] {
  if (amounts.length === 0) return groups;
  const unsuffixed = groups.find(({ suffix }) => suffix === '') ?? emptyGroup('');
  const whole = { ...unsuffixed, resources: [...unsuffixed.resources, ...amounts] };
  return [...groups.filter((group) => group !== unsuffixed), whole];
}

function emptyGroup(suffix: string): Group {
  const lists = { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] };
  return { suffix, resources: [], ...lists, canSplit: [] };
}

async function conditionsOf(client: Client, options: RequestOptions) {
  const { groupPolicy, notInTree, seed } = options;
  return {
    groupPolicy: groupPolicy === 'isolate' ? ('ISOLATE' as const) : undefined,
    isolate: options.isolate,
    sameSubtree: options.sameSubtree?.map((groups) => ({ groups })),
    rootRequiredTraits: options.rootRequired,
    rootForbiddenTraits: options.rootForbidden,
    notInTrees: notInTree && (await Promise.all(notInTree.map((text) => providerUuid(client, text)))),
    awayFromConsumers: options.awayFrom,
    nearConsumers: options.near,
    orderBy: options.order,
    seed,
  };
}

function readOrder(text: string): { strategy: CandidateStrategy; resourceClass: string } {
  const [, strategy, resourceClass] = /^(spread|pack):(\w+)$/i.exec(text) ?? [];
  if (resourceClass === undefined)
    throw Failure.usage(`--order "${text}" must be spread:CLASS or pack:CLASS`);
  return { strategy: strategy.toUpperCase() as CandidateStrategy, resourceClass };
}
