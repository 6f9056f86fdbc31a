import { ensure, firstDuplicate, unknownName } from '../../model/input.js';
import type { KnownNames, Path } from '../../model/request.js';
import type { TopologyLevel, TopologyRule } from './workload.js';

const MAX_RULES = 64;
const MAX_DOMAINS = 1024;

export interface KnownWorkloadNames extends KnownNames {
  hasAggregate(uuid: string): boolean;
}

/**
 * @param counts the number of consumers by the name of a member
 * @param common rules that must hold, too
 * @throws InvalidInput for malformed or contradictory rules and unknown names
 */
export function validateRules(
  rules: readonly TopologyRule[],
  path: Path,
  counts: ReadonlyMap<string, number>,
  known: KnownWorkloadNames,
  common: readonly TopologyRule[] = [],
): void {
  const length = rules.length + common.length;
  ensure(length <= MAX_RULES, path, `${length} rules: at most ${MAX_RULES}`);
  const names = new Set(counts.keys());
  rules.forEach((rule, position) => validateRule(rule, [...path, String(position)], names, known));
  validateConsistency(rules, path, counts, common);
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
function validateConsistency(
  rules: readonly TopologyRule[],
  path: Path,
  counts: ReadonlyMap<string, number>,
  common: readonly TopologyRule[],
): void {
  const all = [...rules, ...common];
  const keys = new Map(all.map((rule) => [rule, levelKey(rule.level)]));
  rules.forEach((rule, position) => {
    const opposite = all.find((other) => {
      const isOpposite = rule.rule === 'DIFFERENT' && other.rule === 'SAME';
      const isReverse = rule.rule === 'SAME' && other.rule === 'DIFFERENT' && common.includes(other);
      if (!isOpposite && !isReverse) return false;
      if (keys.get(rule) !== keys.get(other) || (rule.allowOutside && other.allowOutside)) return false;
      const shared = rule.members.filter((name) => other.members.includes(name));
      return shared.reduce((sum, name) => sum + counts.get(name)!, 0) > 1;
    });
    const message = 'SAME and DIFFERENT contradict each other for two consumers at one level';
    ensure(opposite === undefined, [...path, String(position), 'rule'], message);
  });
}

function levelKey(level: TopologyLevel): string {
  if (level.kind === 'AGGREGATES') return [...level.aggregates].sort().join();
  return level.kind === 'TRAIT' ? `trait ${level.trait}` : 'tree';
}
