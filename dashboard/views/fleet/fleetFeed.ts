import type { Client, CombinedError } from 'urql';
import {
  FleetMapDocument,
  FleetMapOfTreesDocument,
  FleetTotalsDocument,
  type FleetChangesSubscription,
  type FleetTotalsQuery,
} from '../../generated/fleet/operations';
import { Refresher } from '../../api/refresher';
import { fleetDataOf, withChanges, type FleetData } from './fleetData';
import type { Grouping } from './grouping';

export type ClassTotal = FleetTotalsQuery['fleetTotals']['nodes'][number];

export interface FleetState {
  /** Null until the first answer. */
  readonly data: FleetData | null;
  readonly totals: readonly ClassTotal[] | null;
  readonly error: CombinedError | null;
}

/** Pauses between two answers (ms): what changes meanwhile comes with the next. */
const TREES_PAUSE = 200;
const TOTALS_PAUSE = 700;

/** More trees than these are read with all others. */
const MOST_TREES = 500;

/** After these a tree has other figures, and nothing else is different. */
const OF_FIGURES = new Set(['USAGE', 'INVENTORY']);

const FRESH = { requestPolicy: 'network-only' } as const;

/** What the view shows of the fleet, kept up with the changes that it is told of. */
export class FleetFeed {
  private data: FleetData | null = null;
  private changed = new Set<string>();
  private isStructureOld = true;
  private isStopped = false;
  private readonly trees = new Refresher(() => this.readTrees(), TREES_PAUSE);
  private readonly totals = new Refresher(() => this.readTotals(), TOTALS_PAUSE);

  constructor(
    private readonly client: Client,
    private readonly resourceClass: string,
    private readonly grouping: Grouping,
    private readonly onState: (state: Partial<FleetState>) => void,
  ) {}

  /** Reads everything, at first and whenever something may have been missed. */
  readAfresh(): void {
    this.isStructureOld = true;
    this.request();
  }

  stop(): void {
    this.isStopped = true;
    this.trees.stop();
    this.totals.stop();
  }

  hear({ resourceProviderChanged: { uuid, kinds } }: FleetChangesSubscription): void {
    this.changed.add(uuid);
    if (!kinds.every((kind) => OF_FIGURES.has(kind)) || this.changed.size > MOST_TREES)
      this.isStructureOld = true;
    this.request();
  }

  private request(): void {
    this.trees.request();
    this.totals.request();
  }

  private readTrees(): Promise<void> {
    const inTrees = Array.from(this.changed);
    this.changed = new Set();
    return this.data === null || this.isStructureOld ? this.readAll() : this.readSome(this.data, inTrees);
  }

  private async readAll(): Promise<void> {
    const { resourceClass, grouping } = this;
    this.isStructureOld = false;
    const variables = {
      resourceClass,
      byAggregate: grouping.kind === 'zone' || grouping.kind === 'rack',
      traits: grouping.kind === 'trait' ? [grouping.trait] : [],
    };
    const { data, error } = await this.client.query(FleetMapDocument, variables, FRESH);
    if (data) this.data = fleetDataOf(data.fleetMap, grouping, this.data);
    this.tell(data ? { data: this.data, error: null } : { error });
  }

  private async readSome(before: FleetData, inTrees: string[]): Promise<void> {
    const variables = { resourceClass: this.resourceClass, inTrees };
    const { data, error } = await this.client.query(FleetMapOfTreesDocument, variables, FRESH);
    if (!data) return this.tell({ error });
    const after = withChanges(before, data.fleetMap);
    if (after === null) return this.readAll();
    this.data = after;
    this.tell({ data: after, error: null });
  }

  private async readTotals(): Promise<void> {
    const { data } = await this.client.query(FleetTotalsDocument, {}, FRESH);
    if (data) this.tell({ totals: data.fleetTotals.nodes });
  }

  private tell(state: Partial<FleetState>): void {
    if (!this.isStopped) this.onState(state);
  }
}
