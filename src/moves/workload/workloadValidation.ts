import { ensure, firstDuplicate, InvalidInput, unknownName } from '../../model/invalidInput.js';
import type { KnownNames, Path } from '../../model/providerConditions.js';
import type { CandidatesRequest } from '../../model/request.js';
import { validateRequest } from '../../search/requestValidation.js';
import type { TopologyLevel, TopologyRule, Workload, WorkloadMember } from './workload.js';

const MAX_MEMBERS = 64;
const MAX_CONSUMERS = 1000;
const MAX_REQUESTS = 8;
const MAX_RULES = 64;
const MAX_DOMAINS = 1024;
const MEMBER_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export interface KnownWorkloadNames extends KnownNames {
  hasAggregate(uuid: string): boolean;
}

/** @throws InvalidInput for a malformed workload, unknown names or contradictory rules */
export function validateWorkload({ members, topology }: Workload, known: KnownWorkloadNames): void {
  const size = `${members.length} members: a workload has 1 to ${MAX_MEMBERS}`;
  ensure(members.length >= 1 && members.length <= MAX_MEMBERS, ['members'], size);
  let consumers = 0;
  members.forEach(({ count }, position) => {
    consumers += count;
    const total = `more than ${MAX_CONSUMERS} consumers: a workload has at most that many`;
    ensure(consumers <= MAX_CONSUMERS, ['members', String(position), 'consumers'], total);
  });
  const valid = new Set<CandidatesRequest>();
  const repeated = firstDuplicate(members.map(({ name }) => name));
  members.forEach((member, position) => {
    const path = ['members', String(position)];
    const message = `member ${JSON.stringify(member.name)} is repeated`;
    ensure(position !== repeated, [...path, 'name'], message);
    validateMember(member, path, { known, valid });
  });
  ensure(topology.length <= MAX_RULES, ['topology'], `${topology.length} rules: at most ${MAX_RULES}`);
  const names = new Set(members.map(({ name }) => name));
  topology.forEach((rule, position) => validateRule(rule, ['topology', String(position)], names, known));
  validateConsistency(topology, new Map(members.map(({ name, count }) => [name, count])));
}

/** @param valid the requests of earlier members: members may share a request */
function validateMember(
  { name, count, requests }: WorkloadMember,
  path: Path,
  { known, valid }: { readonly known: KnownNames; readonly valid: Set<CandidatesRequest> },
): void {
  const unnamed = `member ${JSON.stringify(name.slice(0, 64))} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`;
  ensure(MEMBER_NAME.test(name), [...path, 'name'], unnamed);
  const list = [...path, 'requests'];
  const message = `${requests.length} requests: a member has 1 to ${MAX_REQUESTS}`;
  ensure(requests.length >= 1 && requests.length <= MAX_REQUESTS, list, message);
  requests.forEach((request, position) => {
    if (valid.has(request)) return;
    try {
      validateRequest(request, known);
      valid.add(request);
    } catch (error) {
      throw error instanceof InvalidInput ? error.within([...list, String(position)]) : error;
    }
  });
  ensure(count >= 1, [...path, 'consumers'], 'a member has at least one consumer');
}

function validateRule(
  { level, members, rule, maxSkew }: TopologyRule,
  path: Path,
  names: ReadonlySet<string>,
  known: KnownWorkloadNames,
): void {
  ensure(members.length > 0, [...path, 'members'], 'the rule names no member');
  const repeated = firstDuplicate(members);
  members.forEach((name, position) => {
    const here = [...path, 'members', String(position)];
    ensure(names.has(name), here, `no member has the name ${JSON.stringify(name)}`);
    ensure(position !== repeated, here, `member ${JSON.stringify(name)} is repeated`);
  });
  const isSkew = rule !== 'SPREAD' || (Number.isInteger(maxSkew) && maxSkew >= 1);
  ensure(isSkew, [...path, 'maxSkew'], `maxSkew ${maxSkew} is not at least 1`);
  validateLevel(level, [...path, 'level'], known);
}

function validateLevel(level: TopologyLevel, path: Path, known: KnownWorkloadNames): void {
  if (level.kind === 'TRAIT' && !known.hasTrait(level.trait))
    throw unknownName('trait', level.trait, [...path, 'trait']);
  if (level.kind !== 'AGGREGATES') return;
  const { aggregates } = level;
  const list = [...path, 'aggregates'];
  const message = `${aggregates.length} aggregates: a level has 1 to ${MAX_DOMAINS}`;
  ensure(aggregates.length >= 1 && aggregates.length <= MAX_DOMAINS, list, message);
  const repeated = firstDuplicate(aggregates);
  aggregates.forEach((uuid, position) => {
    const here = [...list, String(position)];
    ensure(known.hasAggregate(uuid), here, `aggregate ${uuid} is unknown`);
    ensure(position !== repeated, here, `aggregate ${uuid} is repeated`);
  });
}

/** Two consumers in one domain are not in different domains. Outside of the domains they may be both. */
function validateConsistency(topology: readonly TopologyRule[], counts: ReadonlyMap<string, number>): void {
  const keys = new Map(topology.map((rule) => [rule, levelKey(rule.level)]));
  topology.forEach((rule, position) => {
    const opposite = topology.find((other) => {
      if (rule.rule !== 'DIFFERENT' || other.rule !== 'SAME') return false;
      if (keys.get(rule) !== keys.get(other) || (rule.allowOutside && other.allowOutside)) return false;
      const shared = rule.members.filter((name) => other.members.includes(name));
      return shared.reduce((sum, name) => sum + counts.get(name)!, 0) > 1;
    });
    const message = 'SAME and DIFFERENT contradict each other for two consumers at one level';
    ensure(opposite === undefined, ['topology', String(position), 'rule'], message);
  });
}

function levelKey(level: TopologyLevel): string {
  if (level.kind === 'AGGREGATES') return [...level.aggregates].sort().join();
  return level.kind === 'TRAIT' ? `trait ${level.trait}` : 'tree';
}
