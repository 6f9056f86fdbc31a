import type { Alternatives } from '../../domain/providerConditions.js';
import type { RequestGroup } from '../model/request.js';

/** A verb as it is said of one, of several, and of one that fails. */
const VERBS = {
  have: ['has', 'have', 'does not have'],
  be: ['is', 'are', 'is not'],
  take: ['takes', 'take', 'does not take'],
  give: ['gives', 'give', 'does not give'],
  can: ['can', 'can', 'cannot'],
} as const;

export type Verb = keyof typeof VERBS;

/** What is true of those that satisfy a constraint; and what came nearest, to be added where none does. */
export interface Phrase {
  readonly verb: Verb;
  readonly rest: string;
  readonly nearest?: string;
}

/** A phrase as a sentence about how many of those before still remain. */
export function sentence(
  kind: 'provider' | 'tree',
  before: number,
  remaining: number,
  { verb, rest, nearest: nearestMiss }: Phrase,
): string {
  const [one, many, not] = VERBS[verb];
  const nearest = nearestMiss === undefined ? '' : `: ${nearestMiss}`;
  if (before === 0) return `there is no ${kind}`;
  if (before === 1)
    return `the one ${kind} left ${remaining === 1 ? `${one} ${rest}` : `${not} ${rest}${nearest}`}`;
  if (remaining === 0) return `none of ${counted(before)} ${kind}s ${one} ${rest}${nearest}`;
  if (remaining === before) return `all ${counted(before)} ${kind}s ${many} ${rest}`;
  return `${counted(remaining)} of ${counted(before)} ${kind}s ${remaining === 1 ? one : many} ${rest}`;
}

export function groupNamed(suffix: string): string {
  return suffix === '' ? 'the unsuffixed group' : `group ${suffix}`;
}

export function amountsOf({ resources }: RequestGroup): string {
  const amounts = resources.map(({ resourceClass, amount }) => `${counted(amount)} ${resourceClass}`);
  return listed(amounts, 'and');
}

/** Each set of alternatives as one term of a list. */
export function alternativesOf(sets: Alternatives): string[] {
  return sets.map((set) =>
    sets.length > 1 && set.length > 1 ? `(${listed(set, 'or')})` : listed(set, 'or'),
  );
}

export function listed(items: readonly string[], conjunction: 'and' | 'or'): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${conjunction} ${items[items.length - 1]}`;
}

/** More than these are counted, not named. */
const MOST_NAMED = 3;

/** A list that may be long. */
export function named(items: readonly string[], conjunction: 'and' | 'or'): string {
  const left = items.length - MOST_NAMED;
  return listed(left > 0 ? [...items.slice(0, MOST_NAMED), `${counted(left)} more`] : items, conjunction);
}

/** What is true of those that are in none of the trees of these providers. */
export function outsidePhrase(uuids: readonly string[], nameOf: (uuid: string) => string): Phrase {
  const trees = uuids.length === 1 ? 'the tree' : 'the trees';
  return { verb: 'be', rest: `outside of ${trees} of ${named(uuids.map(nameOf), 'and')}` };
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats an integer with thousands separators. Creating an Intl.NumberFormat would delay the start. */
export function counted(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}
