import { newUuid } from '../../../components/uuid';
import type { Catalog } from '../../../components/useCatalog';
import type { ClaimInput, TopologyRule } from '../../../generated/place/operations';
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
