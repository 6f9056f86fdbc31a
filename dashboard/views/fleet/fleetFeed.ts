import type { Client, CombinedError } from 'urql';
import {
  FleetMapDocument,
  FleetMapOfTreesDocument,
  FleetTotalsDocument,
  type FleetChangesSubscription,
  type FleetTotalsQuery,
} from '../../generated/fleet/operations';
import { isTransient } from '../../api/client';
import { Refresher } from '../../api/refresher';
import { MAINTENANCE } from '../../components/maintenance';
import { fleetDataOf, withChanges, type FleetData } from './fleetData';
import type { Grouping } from './grouping';

export type ClassTotal = NonNullable<FleetTotalsQuery['fleetTotals']>['nodes'][number];

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

/** The data of the fleet view, updated by the changes that the server reports. */
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

  /** Reads what has changed. If that fails, it stays recorded. @returns false to try again */
  private async readTrees(): Promise<boolean> {
    const { changed, isStructureOld } = this;
    this.changed = new Set();
    this.isStructureOld = false;
    const error = await (this.data === null || isStructureOld
      ? this.readAll()
      : this.readSome(this.data, Array.from(changed)));
    this.tell({ data: this.data, error });
    if (error === null) return true;
    for (const uuid of changed) this.changed.add(uuid);
    this.isStructureOld ||= isStructureOld;
    return !isTransient(error);
  }

  private async readAll(): Promise<CombinedError | null> {
    const { resourceClass, grouping } = this;
    const variables = {
      resourceClass,
      byAggregate: grouping.kind === 'zone' || grouping.kind === 'rack',
      traits: [...new Set([MAINTENANCE, ...(grouping.kind === 'trait' ? [grouping.trait] : [])])],
    };
    const { data, error = null } = await this.client.query(FleetMapDocument, variables, FRESH);
    if (!data?.fleetMap) return error;
    this.data = fleetDataOf(data.fleetMap, grouping, this.data);
    return null;
  }

  private async readSome(before: FleetData, inTrees: string[]): Promise<CombinedError | null> {
    const variables = { resourceClass: this.resourceClass, inTrees: inTrees.map((uuid) => ({ uuid })) };
    const { data, error = null } = await this.client.query(FleetMapOfTreesDocument, variables, FRESH);
    if (!data?.fleetMap) return error;
    const after = withChanges(before, data.fleetMap);
    if (after === null) return this.readAll();
    this.data = after;
    return null;
  }

  private async readTotals(): Promise<boolean> {
    const { data, error } = await this.client.query(FleetTotalsDocument, {}, FRESH);
    if (data?.fleetTotals) this.tell({ totals: data.fleetTotals.nodes });
    return !error || !isTransient(error);
  }

  private tell(state: Partial<FleetState>): void {
    if (!this.isStopped) this.onState(state);
  }
}
