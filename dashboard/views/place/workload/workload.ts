import { newUuid } from '../../../components/uuid';
import type { Catalog } from '../../../components/useCatalog';
import type {
  ClaimInput,
  GrownWorkloadQuery,
  TopologyRule,
  TopologyRuleInput,
} from '../../../generated/place/operations';
import { readRequest } from '../placeAddress';
import { inputOf } from '../placeRequest';

/** A member of a workload: equal consumers. */
export interface Member {
  readonly name: string;
  readonly count: number;
  /** The request of each consumer, in the format of the query string. */
  readonly request: string;
}

/** A rule on all members. */
export interface Rule {
  readonly rule: TopologyRule;
  /** `tree`, `zone` (aggregates with names), `rack` (those without) or a trait. */
  readonly level: string;
  /** Whether members may be outside of all domains. */
  readonly allowOutside: boolean;
}

export const RULES: Readonly<Record<TopologyRule, string>> = {
  SAME: 'All in one',
  DIFFERENT: 'Each in another',
  SPREAD: 'Evenly over each',
  PACK: 'In the fewest',
};

const MEMBER = /^([\w-]{1,64}):(\d{1,4})\?(.*)$/;
const RULE = /^(SAME|DIFFERENT|SPREAD|PACK):([A-Za-z0-9_]+)(:outside)?$/;

/** Reads members such as `member=db:3?resources=VCPU:4`. Omits malformed ones. */
export const readMembers = (address: URLSearchParams): Member[] =>
  address.getAll('member').flatMap((text) => {
    const [, name, count, request] = MEMBER.exec(text) ?? [];
    return name === undefined ? [] : [{ name, count: Number(count), request }];
  });

/** Reads rules such as `rule=SPREAD:zone` or `rule=SPREAD:zone:outside`. Omits malformed ones. */
export const readRules = (address: URLSearchParams): Rule[] =>
  address.getAll('rule').flatMap((text) => {
    const [, rule, level, outside] = RULE.exec(text) ?? [];
    const allowOutside = outside !== undefined;
    return rule === undefined ? [] : [{ rule: rule as TopologyRule, level, allowOutside }];
  });

/** Adds a workload to an address. Colons and commas of a member's request stay readable. */
export function writeWorkload(
  address: URLSearchParams,
  members: readonly Member[],
  rules: readonly Rule[],
): URLSearchParams {
  const after = new URLSearchParams(address);
  for (const name of ['member', 'rule']) after.delete(name);
  for (const { name, count, request } of members)
    after.append('member', `${name}:${count}?${request.replace(/%(3A|2C)/g, decodeURIComponent)}`);
  for (const { rule, level, allowOutside } of rules)
    after.append('rule', `${rule}:${level}${allowOutside ? ':outside' : ''}`);
  return after;
}

/** How a plan treats consumers that exist. */
export interface PlanOptions {
  /** The named workload that the members join. Null: all consumers are new. */
  readonly grow: { readonly projectId: string; readonly name: string } | null;
  /** Whether the consumers of the named workload stay if they can. */
  readonly stay: boolean;
  /** The moves of consumers of a type that may make room. Null: none may move. */
  readonly room: { readonly maxMoves: number; readonly type: string } | null;
}

/** The parameters of the address that have options. */
export const OPTION_NAMES = ['growProject', 'growWorkload', 'stay', 'room', 'roomType'] as const;

/** Reads options such as `growProject=blue&growWorkload=web&stay=no` and `room=3&roomType=BATCH`. */
export function readOptions(address: URLSearchParams): PlanOptions {
  const [projectId, name, stay, room, type] = OPTION_NAMES.map((one) => address.get(one));
  const maxMoves = Number(room);
  return {
    grow: projectId && name ? { projectId, name } : null,
    stay: stay !== 'no',
    room: type && Number.isInteger(maxMoves) && maxMoves >= 1 ? { maxMoves, type } : null,
  };
}

/** A named workload with its consumers. */
export type Grown = NonNullable<GrownWorkloadQuery['workload']>;

/** Adds the consumers and the rules of a named workload to an input. Members of the same name are joined. */
export function grownInput(
  input: ClaimInput,
  { members, topology }: Grown,
  name: string,
  stay: boolean,
): ClaimInput {
  const existing = members.map((member) => ({
    name: member.name,
    placement: member.placement,
    requests: (member.requests ?? []) as ClaimInput['members'][number]['requests'],
    consumers: member.consumers.map(({ uuid, generation, type, projectId, userId }) => ({
      consumer: uuid,
      generation,
      type: type?.name,
      projectId: projectId ?? '',
      userId: userId ?? '',
    })),
  }));
  const [first] = existing.flatMap(({ consumers }) => consumers);
  const added = input.members.map((member) => ({
    ...member,
    consumers: member.consumers.map((consumer) => ({
      ...consumer,
      projectId: first.projectId,
      userId: first.userId,
    })),
  }));
  const addedTo = (one: string) => added.filter((member) => member.name === one);
  return {
    ...input,
    stay,
    workload: { name },
    members: [
      ...existing.map((member) => ({
        ...member,
        consumers: [...member.consumers, ...addedTo(member.name).flatMap(({ consumers }) => consumers)],
      })),
      ...added.filter((member) => !existing.some((one) => one.name === member.name)),
    ],
    topology: [...topology.map((rule) => rule.input as TopologyRuleInput), ...(input.topology ?? [])],
  };
}

/** Returns the input of a claim that repeats a plan in an unchanged fleet. */
export function claimOfPlan(input: ClaimInput, seed: number): ClaimInput {
  const [{ requests, ...first }, ...others] = input.members;
  const seeded = requests.map((request, at) => (at === 0 ? { ...request, seed } : request));
  return { ...input, members: [{ ...first, requests: seeded }, ...others] };
}

/**
 * Returns the API input for a workload of new consumers. Plans write nothing, so the owner has no
 * effect.
 */
export function workloadInput(
  members: readonly Member[],
  rules: readonly Rule[],
  catalog: Catalog,
): ClaimInput {
  const names = members.map(({ name }) => name);
  return {
    members: members.map(({ name, count, request }) => ({
      name,
      requests: [inputOf(readRequest(new URLSearchParams(request)))],
      consumers: Array.from({ length: count }, () => ({
        consumer: newUuid(),
        projectId: 'plan',
        userId: 'plan',
      })),
    })),
    topology: rules.map(({ level, ...rule }) => ({
      ...rule,
      members: names,
      level: levelOf(level, catalog),
    })),
  };
}

function levelOf(level: string, { aggregates, unnamed }: Catalog) {
  if (level === 'tree') return { tree: true };
  if (level === 'zone') return { aggregates: aggregates.map((name) => ({ name })) };
  if (level === 'rack') return { aggregates: unnamed.map((uuid) => ({ uuid })) };
  return { trait: level };
}
