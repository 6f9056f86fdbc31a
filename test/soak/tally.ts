import { seconds, rejectionsText, type Observations } from '../faults/observation.js';

/** What was seen of one fault, each time that it was tried. */
interface Seen {
  tried: number;
  longestGap: number;
  longestHealing: number;
  readonly rejections: Map<string, number>;
  readonly health: Set<number>;
}

/** Codes of what writers are refused because of each other, whether anything fails or not. */
const ORDINARY = new Set([
  'CAPACITY_EXCEEDED',
  'CONSUMER_GENERATION_CONFLICT',
  'INVALID_INPUT',
  'INVENTORY_IN_USE',
  'NO_INVENTORY',
  'NOT_FOUND',
  'PROVIDER_GENERATION_CONFLICT',
  'RESHAPE_REFUSED',
  'UNIT_VIOLATION',
]);

/** What a soak has come to: a row for each fault. */
export class Tally {
  private readonly seen = new Map<string, Seen>();
  private readonly memory: number[][] = [];
  private peak = 0;

  add(fault: string, healed: number, { rejections, longestGap, health, peak }: Observations): void {
    const seen = this.of(fault);
    seen.tried += 1;
    seen.longestGap = Math.max(seen.longestGap, longestGap);
    seen.longestHealing = Math.max(seen.longestHealing, healed);
    for (const [code, count] of rejections) {
      if (!ORDINARY.has(code)) seen.rejections.set(code, (seen.rejections.get(code) ?? 0) + count);
    }
    for (const status of health) seen.health.add(status);
    this.peak = Math.max(this.peak, peak);
  }

  /** What the servers have of memory at this moment (MiB). */
  noteMemory(each: readonly number[]): void {
    this.memory.push([...each]);
  }

  text(): string {
    const memory = this.memory.map((each) => each.map((mebibytes) => mebibytes.toFixed(0)).join(', '));
    return [
      '| fault | tried | rejections besides ordinary ones | longest without an acknowledged write | well again after the fault | `/readyz` meanwhile |',
      '| --- | --- | --- | --- | --- | --- |',
      ...[...this.seen].sort().map(([fault, seen]) => rowOf(fault, seen)),
      `resident memory of the servers: at the beginning ${memory[0]} MiB, at most ${this.peak.toFixed(0)} MiB, in the end ${memory.at(-1)} MiB`,
    ].join('\n');
  }

  private of(fault: string): Seen {
    const found = this.seen.get(fault);
    if (found !== undefined) return found;
    const seen = {
      tried: 0,
      longestGap: 0,
      longestHealing: 0,
      rejections: new Map(),
      health: new Set<number>(),
    };
    this.seen.set(fault, seen);
    return seen;
  }
}

function rowOf(fault: string, { tried, rejections, longestGap, longestHealing, health }: Seen): string {
  const statuses = [...health].sort().map((status) => (status === 0 ? 'none' : status));
  const cells = [
    fault,
    tried,
    rejectionsText(rejections),
    seconds(longestGap),
    seconds(longestHealing),
    statuses.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}
