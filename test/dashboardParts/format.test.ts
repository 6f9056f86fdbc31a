import { expect, test } from '@jest/globals';
import { amountsIn, sumByClass } from '../../dashboard/components/amounts';
import { formatAmounts, formatCount, formatShare, formatSize } from '../../dashboard/components/format';

test.each([
  ['MEMORY_MB', 512, '0.5 GiB'],
  ['MEMORY_MB', 8_192, '8 GiB'],
  ['MEMORY_MB', 1_048_576, '1 TiB'],
  ['MEMORY_MB', 26_214_400_000, '25,000 TiB'],
  ['DISK_GB', 1_023, '1,023 GiB'],
  ['DISK_GB', 1_536, '1.5 TiB'],
  ['VCPU', 25_600, '25,600'],
])('an amount of %s, %d, is shown as %s', (resourceClass, amount, text) => {
  expect(formatSize(resourceClass, amount)).toBe(text);
});

test.each([
  [null, '–'],
  [0, '0%'],
  [0.0004, '<0.1%'],
  [0.0123, '1.2%'],
  [0.5, '50%'],
  [1.25, '125%'],
])('a share of %p is shown as %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test('amounts are added up by class and shown exactly; counts have a plural', () => {
  const allocations = [
    { amount: 4, resourceClass: { name: 'VCPU' } },
    { amount: 8_192, resourceClass: { name: 'MEMORY_MB' } },
    { amount: 1, resourceClass: { name: 'VCPU' } },
  ];
  expect(formatAmounts(amountsIn(sumByClass(allocations)))).toBe('5 VCPU, 8,192 MEMORY_MB');
  expect([formatCount(1, 'host'), formatCount(2_000, 'host')]).toEqual(['1 host', '2,000 hosts']);
});
