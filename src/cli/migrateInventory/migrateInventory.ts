import { createPlacement, type Placement } from '../../direct/placement.js';
import type { Plan } from '../../direct/plan.js';
import type { CommonOptions } from '../options.js';
import { readSettings } from '../settings/settings.js';
import { lockData, startDatabase } from '../bootstrap.js';
import { Lifecycle } from '../lifecycle.js';
import { migrateNode, type NodeOutcome } from './nodeMigration.js';
import { readRoots, type Root } from './nodeReader.js';
import { loadPlan } from './planModule.js';

export interface MigrateInventoryOptions extends CommonOptions {
  /** the file of the plan */
  plan: string;
  /** the name of the only root provider to migrate */
  node?: string;
  dryRun?: boolean;
}

/**
 * The offline upgrade of the reshape spec: gives the tree of each root provider to a plan and applies its result, node by node, each
 * in one transaction. A signal lets the node in hand be finished. When it is run again, finished nodes turn out to be unchanged.
 */
export function migrateInventory(options: MigrateInventoryOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const plan = await loadPlan(options.plan);
    const { settings } = readSettings({ file: options.config });
    await lockData(lifecycle, settings);
    const databaseUrl = await startDatabase(lifecycle, settings);
    const placement = createPlacement({ databaseUrl });
    lifecycle.defer(() => placement.close());
    const roots = await readRoots(placement, options.node ?? null);
    if (options.node !== undefined && roots.length === 0) {
      throw new Error(`no root provider is named ${options.node}`);
    }
    const run = new MigrationRun(placement, plan, roots, options.dryRun ?? false);
    lifecycle.defer(() => run.stop());
    await lifecycle.end((await run.run()) ? 0 : 1);
  });
}

/** One pass over all nodes. */
class MigrationRun {
  private readonly outcomes: NodeOutcome[] = [];
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly placement: Placement,
    private readonly plan: Plan,
    private readonly roots: readonly Root[],
    private readonly isDryRun: boolean,
  ) {}

  /** Whether no node failed. */
  async run(): Promise<boolean> {
    this.running = this.migrateAll();
    await this.running;
    console.log(this.summary());
    return this.count('failed') === 0;
  }

  private async migrateAll(): Promise<void> {
    for (const { uuid, name } of this.roots) {
      if (this.isStopping) return;
      const outcome = await migrateNode(this.placement, this.plan, uuid, this.isDryRun);
      this.outcomes.push(outcome);
      console.log(`[${this.outcomes.length}/${this.roots.length}] ${name}: ${outcome.report}`);
    }
  }

  /** Lets the node in hand be finished. @throws Error that names it, unless it was the last */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running.catch(() => undefined); // the command itself fails with it
    const done = this.outcomes.length;
    if (done === this.roots.length) return;
    throw new Error(
      `stopped after ${done === 0 ? 'no node' : this.roots[done - 1].name}, ` +
        `${this.roots.length - done} nodes are left: run the same command again to go on`,
    );
  }

  private summary(): string {
    const changed = `${this.count('changed')} ${this.isDryRun ? 'would change' : 'changed'}`;
    return `${this.outcomes.length} nodes: ${changed}, ${this.count('unchanged')} unchanged, ${this.count('failed')} failed`;
  }

  private count(kind: NodeOutcome['kind']): number {
    return this.outcomes.filter((outcome) => outcome.kind === kind).length;
  }
}
