import { Option, type Command } from 'commander';
import type {
  AllocationCandidatesInput,
  CandidateStrategy,
  RequestGroupInput,
} from '../../../generated/client/operations.js';
import type { Client } from '../connection/client.js';
import { Failure } from '../connection/failure.js';
import { asText, collect, readAlternatives, readAmounts, wholeNumber, type Amount } from './amounts.js';
import { readInput } from './file.js';
import { providerUuid } from './providers.js';

interface Group extends Required<Pick<RequestGroupInput, GroupList>> {
  readonly suffix: string;
  /** Named as on the command line. */
  inTree?: string;
  inSubtree?: string;
}

type GroupList =
  'resources' | 'requiredTraits' | 'forbiddenTraits' | 'memberOf' | 'forbiddenAggregates' | 'canSplit';

/** Options that are about the request as a whole. */
export interface RequestOptions {
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

/**
 * What is to be placed, as the command line of OpenStack has it: `--group NAME` begins a group, and the options about groups that follow
 * belong to it; those before belong to the unsuffixed group, as do amounts without an option.
 */
export class RequestArguments {
  private readonly groups: Group[] = [];
  private group = emptyGroup('');

  constructor(command: Command) {
    this.addGroupOptions(command);
    command
      .option(
        '--request <file>',
        'the whole request, JSON or YAML of AllocationCandidatesInput; - is standard input',
      )
      .addOption(
        new Option('--group-policy <policy>', 'whether groups may share a provider').choices([
          'none',
          'isolate',
        ]),
      )
      .option('--isolate <group>', 'a group with a provider to itself; may be repeated', collect(asText))
      .option(
        '--same-subtree <groups>',
        'groups whose providers lie in one subtree: A,B',
        collect(readAlternatives),
      )
      .option('--root-required <traits>', 'a trait of the root; A,B: one of them', collect(readAlternatives))
      .option('--root-forbidden <trait>', 'a trait that the root must not have', collect(asText))
      .option(
        '--order <order>',
        'spread:CLASS or pack:CLASS, the best first; may be repeated',
        collect(readOrder),
      )
      .option('--not-in-tree <provider>', 'a tree that takes no part; may be repeated', collect(asText))
      .option(
        '--away-from <consumer>',
        'not in a tree in which it has something; may be repeated',
        collect(asText),
      )
      .option(
        '--near <consumer>',
        'in a tree in which one of these has something; may be repeated',
        collect(asText),
      )
      .option('--seed <number>', 'makes the order repeatable', wholeNumber(0));
  }

  /**
   * What the command line asks for.
   *
   * @param given amounts without an option
   * @param otherwise the amounts where it names none; without these that makes no sense
   */
  async input(
    client: Client,
    given: readonly string[],
    options: RequestOptions,
    otherwise?: readonly Amount[],
  ): Promise<AllocationCandidatesInput> {
    const conditions = await conditionsOf(client, options);
    if (options.request !== undefined) {
      if (this.groups.length + given.length + Object.keys(conditions).length > 0)
        throw Failure.usage(
          '--request is the whole request: give no amounts, groups or conditions beside it',
        );
      return readInput(options.request, '--request');
    }
    const hasAmounts = given.length > 0 || this.groups.some(({ resources }) => resources.length > 0);
    const amounts = hasAmounts ? given.flatMap(readAmounts) : otherwise;
    if (amounts === undefined) throw Failure.usage('say what is asked for, such as VCPU=2 MEMORY_MB=4096');
    const groups = withAmounts(this.groups, amounts);
    return { groups: await Promise.all(groups.map((group) => resolved(client, group))), ...conditions };
  }

  private addGroupOptions(command: Command): void {
    const add = (flags: string, description: string, take: (group: Group, value: string) => void): void => {
      command.option(flags, description, (value: string) => take(this.current(), value));
    };
    command.option(
      '--group <name>',
      'begin a group, served by one provider: NAME, or NAME:VGPU=1',
      (text: string) => this.beginNamed(text),
    );
    add('--resource <amount>', 'an amount: VCPU=2; may be repeated', (group, text) => {
      group.resources.push(...readAmounts(text));
    });
    add('--required <traits>', 'a required trait; A,B: one of them; may be repeated', (group, text) => {
      group.requiredTraits.push(readAlternatives(text));
    });
    add('--forbidden <trait>', 'a forbidden trait; may be repeated', (group, trait) => {
      group.forbiddenTraits.push(trait);
    });
    add('--member-of <aggregates>', 'an aggregate; A,B: one of them; may be repeated', (group, text) => {
      group.memberOf.push(readAlternatives(text));
    });
    add('--not-member-of <aggregate>', 'a forbidden aggregate; may be repeated', (group, aggregate) => {
      group.forbiddenAggregates.push(aggregate);
    });
    add('--split <class>', 'a class that may be spread over several providers', (group, resourceClass) => {
      group.canSplit.push(resourceClass);
    });
    add('--in-tree <provider>', 'only the tree of this provider', (group, provider) => {
      group.inTree = provider;
    });
    add('--in-subtree <provider>', 'only this provider and what is below it', (group, provider) => {
      group.inSubtree = provider;
    });
  }

  /** The group that an option is about. */
  private current(): Group {
    return this.groups.includes(this.group) ? this.group : this.begin(this.group);
  }

  private begin(group: Group): Group {
    this.groups.push(group);
    return (this.group = group);
  }

  private beginNamed(text: string): void {
    const [, suffix, amounts] = /^([\w-]+)(?::(.+))?$/.exec(text) ?? [];
    if (suffix === undefined)
      throw Failure.usage(`--group "${text}" must be a name, or a name and amounts: gpu:VGPU=1`);
    if (this.groups.some((group) => group.suffix === suffix))
      throw Failure.usage(`--group ${suffix} is there twice`);
    const group = this.begin(emptyGroup(suffix));
    if (amounts !== undefined) group.resources.push(...readAmounts(amounts));
  }
}

/** The groups, with these amounts added to the unsuffixed one. */
function withAmounts(groups: readonly Group[], amounts: readonly Amount[]): readonly Group[] {
  if (amounts.length === 0) return groups;
  const unsuffixed = groups.find(({ suffix }) => suffix === '') ?? emptyGroup('');
  const whole = { ...unsuffixed, resources: [...unsuffixed.resources, ...amounts] };
  return groups.includes(unsuffixed)
    ? groups.map((group) => (group === unsuffixed ? whole : group))
    : [...groups, whole];
}

function emptyGroup(suffix: string): Group {
  return {
    suffix,
    resources: [],
    requiredTraits: [],
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
    canSplit: [],
  };
}

/** What is said about the request as a whole. */
async function conditionsOf(client: Client, options: RequestOptions) {
  const { groupPolicy, isolate, sameSubtree, rootRequired, rootForbidden, order, seed } = options;
  const { notInTree, awayFrom, near } = options;
  return {
    ...(groupPolicy === 'isolate' && { groupPolicy: 'ISOLATE' as const }),
    ...(isolate && { isolate }),
    ...(sameSubtree && { sameSubtree: sameSubtree.map((groups) => ({ groups })) }),
    ...(rootRequired && { rootRequiredTraits: rootRequired }),
    ...(rootForbidden && { rootForbiddenTraits: rootForbidden }),
    ...(notInTree && { notInTrees: await Promise.all(notInTree.map((text) => providerUuid(client, text))) }),
    ...(awayFrom && { awayFromConsumers: awayFrom }),
    ...(near && { nearConsumers: near }),
    ...(order && { orderBy: order }),
    ...(seed !== undefined && { seed }),
  };
}

async function resolved(client: Client, { inTree, inSubtree, ...group }: Group): Promise<RequestGroupInput> {
  return {
    ...group,
    ...(inTree !== undefined && { inTree: await providerUuid(client, inTree) }),
    ...(inSubtree !== undefined && { inSubtree: await providerUuid(client, inSubtree) }),
  };
}

function readOrder(text: string): { strategy: CandidateStrategy; resourceClass: string } {
  const [, strategy, resourceClass] = /^(spread|pack):(\w+)$/i.exec(text) ?? [];
  if (resourceClass === undefined)
    throw Failure.usage(`--order "${text}" must be spread:CLASS or pack:CLASS`);
  return { strategy: strategy.toUpperCase() as CandidateStrategy, resourceClass };
}
