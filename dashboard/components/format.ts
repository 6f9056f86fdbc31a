const WHOLE = new Intl.NumberFormat('en');
const ROUNDED = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 0,
  roundingPriority: 'morePrecision',
});
const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** The number of units of a class per GiB. */
const PER_GIB: Readonly<Record<string, number>> = { MEMORY_MB: 1_024, DISK_GB: 1 };

/** An exact number with separators. */
export const formatAmount = (amount: number): string => WHOLE.format(amount);

/** An amount of a class to be read at a glance: memory and disks in GiB or TiB, others exactly. */
export function formatSize(resourceClass: string, amount: number): string {
  const perGib = PER_GIB[resourceClass];
  if (perGib === undefined) return formatAmount(amount);
  const gib = amount / perGib;
  return gib < 1_024 ? `${ROUNDED.format(gib)} GiB` : `${ROUNDED.format(gib / 1_024)} TiB`;
}

/** Amounts of classes exactly, as "4 VCPU, 8,192 MEMORY_MB". */
export const formatAmounts = (
  amounts: readonly { readonly amount: number; readonly resourceClass: { readonly name: string } }[],
): string =>
  amounts.map(({ amount, resourceClass }) => `${formatAmount(amount)} ${resourceClass.name}`).join(', ');

/** A number of things, as "1 host" or "2,000 hosts". The plural is the singular with an s unless it is given. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatAmount(count)} ${count === 1 ? singular : plural}`;

/** Formats a share as a percentage. Null (no capacity) becomes a dash. */
export function formatShare(share: number | null): string {
  if (share === null) return '–';
  if (share > 0 && share < 0.0005) return '<0.1%';
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

/** A time of the API, in the reader's zone. */
export const formatTime = (time: string | null): string =>
  time === null ? '–' : TIME.format(new Date(time));
