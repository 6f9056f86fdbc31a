const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** An amount in full, with separators. */
export const formatAmount = (amount: number): string => WHOLE.format(amount);

/** An amount where there is little room, as 1.25M. */
export const formatShort = (amount: number): string => SHORT.format(amount);

/** Amounts of classes, as "4 VCPU, 8,192 MEMORY_MB". */
export const formatAmounts = (
  amounts: readonly { readonly amount: number; readonly resourceClass: { readonly name: string } }[],
): string =>
  amounts.map(({ amount, resourceClass }) => `${formatAmount(amount)} ${resourceClass.name}`).join(', ');

/** How many there are of something, as "1 host" or "2,000 hosts"; the plural is the singular with an s unless it is given. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatAmount(count)} ${count === 1 ? singular : plural}`;

/** A share as a percentage; a dash where there is no capacity to have a share of. */
export function formatShare(share: number | null): string {
  if (share === null) return '–';
  if (share > 0 && share < 0.0005) return '<0.1%';
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

/** A time of the API, in the reader's zone. */
export const formatTime = (time: string | null): string =>
  time === null ? '–' : TIME.format(new Date(time));
