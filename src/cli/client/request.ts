import type {
  AllocationCandidatesInput,
  CandidateOrderInput,
  CandidateStrategy,
  GroupPolicy,
  RequestGroupInput,
} from '../../generated/client/operations.js';
import { readUuid, readAlternatives, readAmounts, reference, type Amount } from './arguments.js';
import type { Client } from './client.js';
import { command, type Command, type Options, type Result, type Values } from './command.js';
import { Failure } from './failure.js';
import { readInput } from './inputFile.js';
import { asEnum, choice, flag, number, providers, text, texts } from './options.js';

/** The request of a command line. */
interface GivenRequest {
  /** Whether the command line has any part of a request. */
  readonly isGiven: boolean;
  /** Without `defaults`, the command line must name amounts. */
  readonly read: (defaults?: readonly Amount[]) => Promise<AllocationCandidatesInput>;
}

/** A command whose last arguments are amounts, with all options of a request. */
export function requestCommand<Of extends Options>(
  usage: string,
  about: string,
  options: Of,
  run: (client: Client, options: Values<Of>, request: GivenRequest, ...args: string[]) => Promise<Result>,
): Command {
  const groups = new Groups();
  const all = { ...options, ...groups.options(), ...SOURCES, ...CONDITIONS };
  return command(`${usage} [amounts...]`, about, all, (client, given, ...args: unknown[]) => {
    const amounts = args.pop() as string[];
    const values = given as unknown as Values<Of> & Conditions & Sources;
    const conditions = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => name in CONDITIONS && value !== undefined),
    ) as Partial<Conditions>;
    const isGiven = groups.all.length + amounts.length + Object.keys(conditions).length > 0;
    const { file, allowDisabled } = values;
    const request: GivenRequest = {
      isGiven: isGiven || file !== undefined,
      read: async (defaults = []) => {
        if (file !== undefined) {
          if (!isGiven) return withDefaults(await readInput('request', file), allowDisabled);
          throw Failure.usage(
            '--request is the whole request: give no amounts, groups or conditions beside it',
          );
        }
        const hasAmounts = amounts.length > 0 || groups.all.some(({ resources }) => resources?.length);
        const all = withAmounts(groups.all, hasAmounts ? amounts.flatMap(readAmounts) : defaults);
        if (!hasAmounts && defaults.length === 0)
          throw Failure.usage('name the amounts, such as VCPU=2 MEMORY_MB=4G');
        const { rootForbiddenTraits = [], ...request } = withDefaults({ groups: all }, allowDisabled);
        const forbidden = new Set([...rootForbiddenTraits, ...(conditions.rootForbiddenTraits ?? [])]);
        return { ...request, ...conditions, rootForbiddenTraits: [...forbidden] };
      },
    };
    return run(client, values, request, ...(args as string[]));
  });
}

const SOURCES = {
  file: text(
    '--request <file>',
    'the whole request, YAML or JSON (schemas/request.json); - is standard input',
  ),
  allowDisabled: flag('--allow-disabled', 'also hosts in maintenance: those with COMPUTE_STATUS_DISABLED'),
};

type Sources = Values<typeof SOURCES>;

const ORDER =
  'spread:CLASS, pack:CLASS, fewest, traits:A=2,B, aggregates:A,B=-1 or near:CONSUMER; ' +
  'best first; repeatable; fewest if omitted';

/** The conditions on the request as a whole, by their fields in AllocationCandidatesInput. */
const CONDITIONS = {
  groupPolicy: choice<GroupPolicy>('--group-policy <policy>', 'whether groups may share a provider', [
    'none',
    'isolate',
  ]),
  isolate: texts('--isolate <group>', 'a group that shares its provider with no other; repeatable'),
  sameSubtree: texts(
    '--same-subtree <groups>',
    'groups whose providers must be in one subtree: A,B',
    (value) => ({ groups: readAlternatives(value) }),
  ),
  rootRequiredTraits: texts(
    '--root-required <traits>',
    'a trait of the root; A,B: any of them',
    readAlternatives,
  ),
  rootForbiddenTraits: texts('--root-forbidden <trait>', 'a trait that the root must not have'),
  orderBy: texts('--order <order>', ORDER, readOrder),
  notInTrees: providers('--not-in-tree <provider>', 'exclude the tree of this provider; repeatable'),
  awayFromConsumers: texts(
    '--away-from <consumer>',
    'exclude the trees of this consumer; repeatable',
    readUuid,
  ),
  nearConsumers: texts('--near <consumer>', 'only trees of one of these consumers; repeatable', readUuid),
  seed: number('--seed <number>', 'makes a random order repeatable', 0),
};

type Conditions = Values<typeof CONDITIONS>;

/** A group of a command line. */
type Group = RequestGroupInput & { readonly suffix: string };

/** The options of a group by the fields of RequestGroupInput. Repeated options extend a list. */
const GROUP_OPTIONS: readonly [
  field: keyof RequestGroupInput,
  flags: string,
  about: string,
  read: (value: string) => unknown,
][] = [
  ['resources', '--resource <amount>', 'an amount: VCPU=2; repeatable', readAmounts],
  [
    'requiredTraits',
    '--required <traits>',
    'a required trait; A,B: any of them; repeatable',
    (value) => [readAlternatives(value)],
  ],
  ['forbiddenTraits', '--forbidden <trait>', 'a forbidden trait; repeatable', (value) => [value]],
  [
    'memberOf',
    '--member-of <aggregates>',
    'an aggregate; A,B: any of them; repeatable',
    (value) => [readAlternatives(value).map(reference)],
  ],
  [
    'forbiddenAggregates',
    '--not-member-of <aggregate>',
    'a forbidden aggregate; repeatable',
    (value) => [reference(value)],
  ],
  ['canSplit', '--split <class>', 'a class whose amount may come from several providers', (value) => [value]],
  ['inTree', '--in-tree <provider>', 'only the tree of this provider', reference],
  ['inSubtree', '--in-subtree <provider>', 'only this provider and its descendants', reference],
];

/** The groups of a command line. `--group NAME` begins one. The initial group is unsuffixed. */
class Groups {
  readonly all: Group[] = [];
  private current: Group = { suffix: '' };

  options(): Options {
    const rows = GROUP_OPTIONS.map(([field, flags, about, read]) => {
      return [field, text(flags, about, (value) => this.add(field, read(value)))] as const;
    });
    const about = 'begin a group, served by one provider: NAME, or NAME:VGPU=1';
    return {
      group: text('--group <name>', about, (value) => this.begin(value)),
      ...Object.fromEntries(rows),
    };
  }

  private add(field: keyof RequestGroupInput, value: unknown): void {
    const { current } = this;
    if (!this.all.includes(current)) this.all.push(current);
    const before = (current[field] ?? []) as unknown[];
    Object.assign(current, { [field]: Array.isArray(value) ? [...before, ...(value as unknown[])] : value });
  }

  private begin(value: string): void {
    const [, suffix, amounts] = /^([\w-]+)(?::(.+))?$/.exec(value) ?? [];
    if (suffix === undefined)
      throw Failure.usage(`--group "${value}" must be a name, or a name and amounts: gpu:VGPU=1`);
    if (this.all.some((group) => group.suffix === suffix))
      throw Failure.usage(`--group ${suffix} is given twice`);
    this.current = { suffix };
    this.add('resources', amounts === undefined ? [] : readAmounts(amounts));
  }
}

/** The trait of hosts in maintenance. */
const DISABLED = 'COMPUTE_STATUS_DISABLED';

/**
 * Adds the defaults of the command line to a request that omits them: candidates with the fewest
 * providers come first, and hosts in maintenance are excluded.
 */
export function withDefaults(
  request: AllocationCandidatesInput,
  allowDisabled = false,
): AllocationCandidatesInput {
  return {
    orderBy: [{ fewestProviders: true }],
    rootForbiddenTraits: allowDisabled ? [] : [DISABLED],
    ...request,
  };
}

/** Adds amounts to the unsuffixed group. */
function withAmounts(groups: readonly Group[], amounts: readonly Amount[]): Group[] {
  if (amounts.length === 0) return [...groups];
  const unsuffixed = groups.find(({ suffix }) => suffix === '') ?? { suffix: '' };
  const whole = { ...unsuffixed, resources: [...(unsuffixed.resources ?? []), ...amounts] };
  return [...groups.filter((group) => group !== unsuffixed), whole];
}

function readOrder(value: string): CandidateOrderInput {
  const [, kind, rest = ''] = /^(\w+)(?::(.+))?$/.exec(value) ?? [];
  if (kind === 'fewest' && rest === '') return { fewestProviders: true };
  if (kind !== undefined && rest !== '') {
    if (kind === 'near') return { nearConsumers: readAlternatives(rest).map(readUuid) };
    if (kind === 'traits')
      return { preferTraits: readWeights(rest).map(([trait, weight]) => ({ trait, weight })) };
    if (kind === 'aggregates') {
      const preferences = readWeights(rest);
      return {
        preferAggregates: preferences.map(([name, weight]) => ({ aggregate: reference(name), weight })),
      };
    }
    if (/^(spread|pack)$/i.test(kind))
      return { freeShare: { strategy: asEnum<CandidateStrategy>(kind), resourceClass: rest } };
  }
  throw Failure.usage(`--order "${value}" must be ${ORDER}`);
}

/** Reads `A=2,B`: names with weights. A weight defaults to 1. */
function readWeights(text: string): [name: string, weight: number][] {
  return text.split(',').map((part) => {
    const [, name = part, weight = '1'] = /^(.+)=(-?\d+)$/.exec(part) ?? [];
    return [name, Number(weight)];
  });
}
