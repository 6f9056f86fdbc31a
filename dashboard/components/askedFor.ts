import { formatAmount, formatCount } from './format';

interface Group {
  readonly resources?: readonly { readonly resourceClass: string; readonly amount: number }[];
  readonly requiredTraits?: readonly (readonly string[])[];
  readonly forbiddenTraits?: readonly string[];
  readonly memberOf?: readonly unknown[];
  readonly forbiddenAggregates?: readonly unknown[];
}

/** The members of a remembered request (AllocationCandidatesInput) that a short text shows. */
interface Remembered {
  readonly groups: readonly Group[];
  readonly rootRequiredTraits?: readonly (readonly string[])[];
  readonly awayFromConsumers?: readonly string[];
  readonly nearConsumers?: readonly string[];
}

/**
 * Returns a short text of a remembered request: amounts, traits, aggregates and relations, such as
 * "2 VCPU with HW_CPU_X86_AVX2, away from 3 consumers". Further conditions are omitted.
 */
export function askedFor(input: unknown): string {
  const { groups, rootRequiredTraits = [], awayFromConsumers = [], nearConsumers = [] } = input as Remembered;
  const parts = groups.map(groupText);
  if (rootRequiredTraits.length > 0) parts.push(`a root with ${alternatives(rootRequiredTraits)}`);
  if (awayFromConsumers.length > 0) parts.push(`away from ${counted(awayFromConsumers)}`);
  if (nearConsumers.length > 0) parts.push(`near ${counted(nearConsumers)}`);
  return parts.join(', ');
}

function groupText(group: Group): string {
  const { resources = [], requiredTraits = [], forbiddenTraits = [] } = group;
  const { memberOf = [], forbiddenAggregates = [] } = group;
  const parts = resources.map(({ resourceClass, amount }) => `${formatAmount(amount)} ${resourceClass}`);
  if (requiredTraits.length > 0) parts.push(`with ${alternatives(requiredTraits)}`);
  if (forbiddenTraits.length > 0) parts.push(`without ${forbiddenTraits.join(' and ')}`);
  if (memberOf.length + forbiddenAggregates.length > 0) parts.push('in chosen aggregates');
  return parts.join(' ');
}

const alternatives = (sets: readonly (readonly string[])[]): string =>
  sets.map((set) => set.join(' or ')).join(' and ');

const counted = ({ length }: readonly string[]): string => formatCount(length, 'consumer');
