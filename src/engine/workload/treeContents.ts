import type { Plan } from '../model/plan.js';
import { freeAt, treeOf, type Block } from '../model/snapshot.js';
import type { PlacementState } from './placementState.js';
import type { Problem } from './problem.js';

/** Describes trees by the data that the plans and rules read, up to the order of siblings. */
export class TreeContents {
  private readonly classes = new Set<number>();
  private readonly ordered = new Set<number>();
  private readonly traits = new Set<number>();
  private readonly aggregates = new Set<number>();
  private readonly plans: readonly Plan[];

  constructor(
    private readonly problem: Problem,
    private readonly state: PlacementState,
  ) {
    this.plans = problem.alternatives.flat().flatMap((one) => one?.plan ?? []);
    for (const { groups, root, orderBy } of this.plans) {
      for (const term of orderBy) {
        if (term.kind === 'FREE_SHARE') this.ordered.add(term.resourceClass);
        if (term.kind === 'TRAITS') for (const id of term.ids) this.traits.add(id);
        if (term.kind === 'AGGREGATES') for (const id of term.ids) this.aggregates.add(id);
      }
      for (const { resources } of groups)
        for (const { resourceClass } of resources) this.classes.add(resourceClass);
      for (const { requiredTraits, forbiddenTraits, memberOf, forbiddenAggregates } of [...groups, root]) {
        for (const id of [...requiredTraits.flat(), ...forbiddenTraits]) this.traits.add(id);
        for (const id of [...memberOf.flat(), ...forbiddenAggregates]) this.aggregates.add(id);
      }
    }
  }

  /** Returns equal texts for trees that are interchangeable now, apart from placement policies. */
  of(treeIndex: number): string {
    const { block, start, end } = treeOf(this.state.overlay, treeIndex);
    this.problem.effort.otherWork += end - start;
    const allowed = this.plans.map(({ trees: { excluded, away, near }, orderBy }) => {
      const isAllowed = !excluded.has(treeIndex) && !away.has(treeIndex) && near?.has(treeIndex) !== false;
      const nearby = orderBy.map((term) => (term.kind === 'NEAR' ? (term.trees.get(treeIndex) ?? 0) : ''));
      return `${Number(isAllowed)}${nearby.join()}`;
    });
    const text = start === end ? '' : this.subtree(block, start, start, treeIndex);
    return `${allowed.join(';')}|${text}`;
  }

  private subtree(block: Block, row: number, start: number, treeIndex: number): string {
    const children: string[] = [];
    for (let child = row + 1; child < block.ends[row]; child = block.ends[child])
      children.push(this.subtree(block, child, start, treeIndex));
    return `(${this.ownText(block, row)};${this.domainText(treeIndex, row - start)}${children.sort().join('')})`;
  }

  private ownText(block: Block, row: number): string {
    const parts: (string | number)[] = [block.sharing[row]];
    for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
      const resourceClass = block.classes[at];
      if (!this.classes.has(resourceClass)) continue;
      parts.push(
        resourceClass,
        freeAt(block, at),
        block.minUnits[at],
        block.maxUnits[at],
        block.stepSizes[at],
      );
      if (this.ordered.has(resourceClass)) parts.push(block.capacities[at]);
    }
    parts.push('t');
    for (let at = block.traitStarts[row]; at < block.traitStarts[row + 1]; at++)
      if (this.traits.has(block.traits[at])) parts.push(block.traits[at]);
    parts.push('a');
    for (let at = block.aggregateStarts[row]; at < block.aggregateStarts[row + 1]; at++)
      if (this.aggregates.has(block.aggregates[at])) parts.push(block.aggregates[at]);
    return parts.join();
  }

  private domainText(treeIndex: number, offset: number): string {
    const { levels } = this.problem;
    const { counts } = this.state;
    return levels
      .map((level, rule) => {
        const domains = level.domainsByRow(treeIndex)[offset];
        return level.isWithinTrees
          ? domains.map((domain) => counts.textOfDomain(rule, domain)).join('+')
          : domains.join('+');
      })
      .join('~');
  }
}
