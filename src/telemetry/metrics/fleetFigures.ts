import { setImmediate } from 'node:timers/promises';
import type { Snapshot } from '../../engine/model/snapshot.js';
import { Totals, type Total, type TotalsGrouping } from '../../engine/totals/totals.js';
import type { ProcessState } from './processState.js';

/** Providers that are added up in one turn of the event loop: some milliseconds. */
const SLICE = 5_000;

/** For so long the figures are taken as they are though the fleet has changed (ms). */
const FRESH_MS = 10_000;

/** What the fleet offers and has in use, as a whole and by aggregate. */
export interface Figures {
  readonly fleet: readonly Total[];
  /** Of the largest aggregates. */
  readonly aggregates: readonly Total[];
  /** How many aggregates are not among those. */
  readonly omitted: number;
}

const NONE: Figures = { fleet: [], aggregates: [], omitted: 0 };

/** Adds up the fleet from the snapshot, when somebody asks and it has changed. */
export class FleetFigures {
  private figures: Promise<Figures> = Promise.resolve(NONE);
  private of: Snapshot | null = null;
  private since = 0;

  constructor(
    private readonly state: Pick<ProcessState, 'snapshot'>,
    /** Of so many aggregates at most there are figures: those with the most providers. */
    private readonly most: number,
  ) {}

  current(): Promise<Figures> {
    const snapshot = this.state.snapshot?.snapshot ?? null;
    const now = performance.now();
    if (snapshot === null || snapshot === this.of) return this.figures;
    if (this.of !== null && now - this.since < FRESH_MS) return this.figures;
    [this.of, this.since] = [snapshot, now];
    return (this.figures = this.addUp(snapshot));
  }

  private async addUp(snapshot: Snapshot): Promise<Figures> {
    const fleet = await totalsOf(snapshot, null);
    if (this.most === 0) return { ...NONE, fleet };
    const all = await totalsOf(snapshot, 'AGGREGATE');
    const sizes = new Map<string, number>();
    for (const { group, providers } of all) sizes.set(group, Math.max(sizes.get(group) ?? 0, providers));
    const largest = [...sizes].sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1));
    const shown = new Set(largest.slice(0, this.most).map(([group]) => group));
    const aggregates = all.filter(({ group }) => shown.has(group));
    return { fleet, aggregates, omitted: sizes.size - shown.size };
  }
}

async function totalsOf(snapshot: Snapshot, grouping: TotalsGrouping | null): Promise<readonly Total[]> {
  const everything = { tree: null, memberOf: [], requiredTraits: [], resourceClass: null };
  const all = { after: null, limit: Number.MAX_SAFE_INTEGER };
  const totals = new Totals(snapshot, { ...everything, grouping }, all);
  while (!totals.run(SLICE)) await setImmediate();
  return totals.rows;
}
