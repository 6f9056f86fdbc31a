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

/** Pauses between two reads (ms). The next read includes all changes of a pause. */
const TREES_PAUSE = 200;
const TOTALS_PAUSE = 700;

/** If more trees have changed, the feed reads all trees. */
const MOST_TREES = 500;

/** The kinds of changes that affect only the numbers of a tree. */
const OF_FIGURES = new Set(['USAGE', 'INVENTORY']);

const FRESH = { requestPolicy: 'network-only' } as const;

/** The data of the fleet view, updated by the changes that the server reports. */
export class FleetFeed {
  private data: FleetData | null = null;
  private changed = new Set<string>();
  /** Whether a changed tree may have lost its inventories of the class. */
  private mayBeGone = false;
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

  /** Reads everything: at the start, and whenever the view may have missed events. */
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
    this.mayBeGone ||= kinds.includes('INVENTORY');
    if (!kinds.every((kind) => OF_FIGURES.has(kind)) || this.changed.size > MOST_TREES)
      this.isStructureOld = true;
    this.request();
  }

  private request(): void {
    this.trees.request();
    this.totals.request();
  }

  /** Reads the changed trees. If that fails, they stay recorded. @returns false to try again */
  private async readTrees(): Promise<boolean> {
    const { changed, mayBeGone, isStructureOld } = this;
    this.changed = new Set();
    this.mayBeGone = false;
    this.isStructureOld = false;
    const error = await (this.data === null || isStructureOld
      ? this.readAll()
      : this.readSome(this.data, Array.from(changed), mayBeGone));
    this.tell({ data: this.data, error });
    if (error === null) return true;
    for (const uuid of changed) this.changed.add(uuid);
    this.mayBeGone ||= mayBeGone;
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

  private async readSome(
    before: FleetData,
    inTrees: string[],
    mayBeGone: boolean,
  ): Promise<CombinedError | null> {
    const variables = { resourceClass: this.resourceClass, inTrees: inTrees.map((uuid) => ({ uuid })) };
    const { data, error = null } = await this.client.query(FleetMapOfTreesDocument, variables, FRESH);
    if (!data?.fleetMap) return error;
    const after = withChanges(before, data.fleetMap);
    const isComplete = !mayBeGone || data.fleetMap.names.length === inTrees.length;
    if (after === null || !isComplete) return this.readAll();
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
