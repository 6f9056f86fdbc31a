import { describe, expect, test } from '@jest/globals';
import { FleetBatch } from '../../src/command/fleetBatches.js';

const roots = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ source: `document ${at}`, root: { name: `h${at}` } }));
const host = (at: number) => ({ uuid: `uuid-${at}`, name: `h${at}` });
const sizesOf = (batches: readonly FleetBatch[]): number[] => batches.map(({ size }) => size);

describe('batches of hosts', () => {
  test('have 100 hosts, and 1,000 providers unless one host has more', () => {
    expect(sizesOf(FleetBatch.of(roots(250), [host(300), host(301)]))).toEqual([100, 100, 50, 2]);
    const large = (name: string, count: number) => ({
      source: name,
      root: { name, children: Array.from({ length: count }, (_, at) => ({ name: `${name}-${at}` })) },
    });
    expect(sizesOf(FleetBatch.of([large('a', 600), large('b', 600), large('c', 2000)], []))).toEqual([
      1, 1, 1,
    ]);
  });

  test('take a host with all hosts to which it is bound', () => {
    const batches = FleetBatch.of(roots(250), [host(300)]);
    const [first, second, , removed] = batches;
    expect(second.take(host(300), 5, batches)).toBe(removed);
    expect(first.take(host(105), 7, batches)).toBe(second);
    expect(sizesOf(batches)).toEqual([102, 99, 50, 0]);
    expect(first.removed).toEqual([host(300)]);
    expect(first.take(host(105), 8, batches)).toBeUndefined();
  });

  test('take no host if they have 500', () => {
    const batches = FleetBatch.of(roots(501), []);
    const [first] = batches;
    for (let at = 100; at < 500; at += 1) expect(first.take(host(at), 0, batches)).toBeDefined();
    expect(first.take(host(500), 0, batches)).toBeUndefined();
    expect(sizesOf(batches)).toEqual([500, 0, 0, 0, 0, 1]);
  });
});
