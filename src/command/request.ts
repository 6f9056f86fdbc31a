import type { Option } from 'commander';
import type {
  AllocationCandidatesInput,
  CandidateOrderInput,
  CandidateStrategy,
  GroupPolicy,
  RequestGroupInput,
} from '../generated/client/operations.js';
import { readNames, readAmounts, references, readUuid, reference, type Amount } from './arguments.js';
import type { Client } from './client.js';
import { command, type Command, type Result } from './command.js';
import { Failure } from './failure.js';
import { readInput } from './inputFile.js';
import {
  amountsOption,
  asEnum,
  choice,
  flag,
  number,
  OptionOf,
  text,
  texts,
  type Options,
  type OptionValues,
} from './options.js';

/** The request of a command line. */
interface GivenRequest {
  /** Whether the command line has any part of a request. */
  readonly isGiven: boolean;
  /** Without `defaults`, the command line must name amounts. */
  readonly read: (defaults?: readonly Amount[]) => Promise<AllocationCandidatesInput>;
  /** Adds the defaults to a request that is not from the command line. */
  readonly completed: (input: AllocationCandidatesInput) => AllocationCandidatesInput;
}

/** A command whose last arguments are amounts, with all options of a request. */
export function requestCommand<Of extends Options>(
  usage: string,
  about: string,
  options: Of,
  run: (
    client: Client,
    options: OptionValues<Of>,
    request: GivenRequest,
    ...args: string[]
  ) => Promise<Result>,
): Command {
  const all = { ...options, ...GROUP_OPTIONS, ...SOURCES, ...CONDITIONS };
  return command(`${usage} [amounts...]`, about, all, (client, given, ...args: unknown[]) => {
    const amounts = args.pop() as string[];
    const values = given as unknown as OptionValues<
      typeof GROUP_OPTIONS & typeof SOURCES & typeof CONDITIONS
    >;
    const { file, allowDisabled, group: groups = [] } = values;
    const conditions = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => name in CONDITIONS && value !== undefined),
    ) as Partial<OptionValues<typeof CONDITIONS>>;
    const isGiven = groups.length + amounts.length + Object.keys(conditions).length > 0;
    const read = async (defaults: readonly Amount[] = []): Promise<AllocationCandidatesInput> => {
      if (file !== undefined) {
        if (!isGiven) return withDefaults(await readInput('request', file), allowDisabled);
        throw Failure.usage(
          '--request is the whole request: give no amounts, groups or conditions beside it',
        );
      }
      const hasAmounts = amounts.length > 0 || groups.some(({ resources }) => resources?.length);
      if (!hasAmounts && defaults.length === 0)
        throw Failure.usage('name the amounts, such as VCPU=2 MEMORY_MB=4G');
      const all = withAmounts(groups, hasAmounts ? amounts.flatMap(readAmounts) : defaults);
      const { rootForbiddenTraits = [], ...request } = withDefaults({ groups: all }, allowDisabled);
      const forbidden = new Set([...rootForbiddenTraits, ...(conditions.rootForbiddenTraits ?? [])]);
      return { ...request, ...conditions, rootForbiddenTraits: [...forbidden] };
    };
    const completed = (input: AllocationCandidatesInput) => withDefaults(input, allowDisabled);
    const request = { isGiven: isGiven || file !== undefined, read, completed };
    return run(client, given, request, ...(args as string[]));
  });
}

const SOURCES = {
  file: text(
    '--request <file>',
    'the whole request, YAML or JSON (schemas/request.json); - is standard input',
  ),
  allowDisabled: flag('--allow-disabled', 'also hosts in maintenance: those with COMPUTE_STATUS_DISABLED'),
};

const ORDER =
  'spread:CLASS, pack:CLASS, fewest, strand, strand:CLASS=2, traits:A=2,B, aggregates:A,B=-1 or near:CONSUMER; ' +
  'best first; repeatable; fewest if omitted';

/** The conditions on the request as a whole, by their fields in AllocationCandidatesInput. */
const CONDITIONS = {
  groupPolicy: choice<GroupPolicy>('--group-policy <policy>', 'whether groups may share a provider', {
    NONE: true,
    ISOLATE: true,
  }),
  isolate: texts('--isolate <group>', 'a group that shares its provider with no other; repeatable'),
  sameSubtree: texts(
    '--same-subtree <groups>',
    'groups whose providers must be in one subtree: A,B',
    (value) => ({ groups: readNames(value) }),
  ),
  rootRequiredTraits: texts('--root-required <traits>', 'a trait of the root; A,B: any of them', readNames),
  rootForbiddenTraits: texts('--root-forbidden <trait>', 'a trait that the root must not have'),
  orderBy: texts('--order <order>', ORDER, readOrder),
  notInTrees: texts('--not-in-tree <provider>', 'exclude the tree of this provider; repeatable', reference),
  awayFromConsumers: texts(
    '--away-from <consumer>',
    'exclude the trees of this consumer; repeatable',
    readUuid,
  ),
  nearConsumers: texts('--near <consumer>', 'only trees of one of these consumers; repeatable', readUuid),
  seed: number('--seed <number>', 'makes a random order repeatable', 0),
};

/** A group of a command line. */
type Group = RequestGroupInput & { readonly suffix: string };

/** The options of a group, by the fields of RequestGroupInput. */
const GROUP_FIELDS: Readonly<Partial<Record<keyof RequestGroupInput, OptionOf<unknown>>>> = {
  resources: amountsOption('--resource <amount>', 'an amount: VCPU=2; repeatable'),
  requiredTraits: texts('--required <traits>', 'a required trait; A,B: any of them; repeatable', readNames),
  forbiddenTraits: texts('--forbidden <trait>', 'a forbidden trait; repeatable'),
  memberOf: texts('--member-of <aggregates>', 'an aggregate; A,B: any of them; repeatable', references),
  forbiddenAggregates: texts('--not-member-of <aggregate>', 'a forbidden aggregate; repeatable', reference),
  canSplit: texts('--split <class>', 'a class whose amount may come from several providers'),
  inTree: text('--in-tree <provider>', 'only the tree of this provider', reference),
  inSubtree: text('--in-subtree <provider>', 'only this provider and its descendants', reference),
};

const GROUP = 'begin a group, served by one provider: NAME, or NAME:VGPU=1';

/**
 * Options with one common value: the groups of the command line so far. `--group` begins a group;
 * the other options set fields of the last one. The initial group is unsuffixed.
 */
const GROUP_OPTIONS: { readonly group: OptionOf<readonly Group[] | undefined> } = {
  group: new OptionOf<readonly Group[] | undefined>('--group <name>', GROUP)
    .argParser(beginGroup)
    .repeatable(),
  ...Object.fromEntries(
    Object.entries(GROUP_FIELDS).map(([field, option]) => [field, ofGroup(field, option)]),
  ),
};

/** Makes an option set a field of the current group. */
function ofGroup(field: string, option: OptionOf<unknown>): Option {
  const parse = option.parseArg!;
  const isInEachGroup = !option.isRepeatable;
  option.attributeName = () => 'group';
  return option.repeatable().argParser((value, groups: readonly Group[] = []) => {
    const group = groups.at(-1) ?? { suffix: '' };
    const before = group[field as keyof Group];
    if (isInEachGroup && before !== undefined)
      throw Failure.usage(`${option.long} is given twice for a group`);
    return [...groups.slice(0, -1), { ...group, [field]: parse(value, before) }];
  });
}

function beginGroup(value: string, groups: readonly Group[] = []): readonly Group[] {
  const [, suffix, amounts] = /^([\w-]+)(?::(.+))?$/.exec(value) ?? [];
  if (suffix === undefined)
    throw Failure.usage(`--group "${value}" must be a name, or a name and amounts: gpu:VGPU=1`);
  if (groups.some((group) => group.suffix === suffix))
    throw Failure.usage(`--group ${suffix} is given twice`);
  return [...groups, { suffix, resources: amounts === undefined ? [] : readAmounts(amounts) }];
}

/** The trait of hosts in maintenance. */
export const DISABLED = 'COMPUTE_STATUS_DISABLED';

/**
 * Adds the defaults of the command line to a request that omits them: candidates with the fewest
 * providers come first, and hosts in maintenance are excluded, also if the server does not do so.
 */
export function withDefaults(
  request: AllocationCandidatesInput,
  allowDisabled = false,
): AllocationCandidatesInput {
  const maintenance = allowDisabled ? { includeExcluded: true } : { rootForbiddenTraits: [DISABLED] };
  return { orderBy: [{ fewestProviders: true }], ...maintenance, ...request };
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
  if (kind === 'strand')
    return {
      leastStranding: {
        weights:
          rest === '' ? [] : readWeights(rest).map(([resourceClass, weight]) => ({ resourceClass, weight })),
      },
    };
  if (kind !== undefined && rest !== '') {
    if (kind === 'near') return { nearConsumers: readNames(rest).map(readUuid) };
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
