import type { Plan } from '../../search/plan.js';
import { valueOfTree } from '../../search/ordered/plannedOrder.js';
import { countersOf } from '../../fleet/consumption.js';
import { freeAt, treeOf, type Block } from '../../fleet/snapshot.js';
import { PlacementState } from './placementState.js';

/** The maximum length of all recorded texts. */
const MAX_LENGTH = 2 ** 26;

/** Recognizes equal states of a search. */
export class VisitedStates {
  private readonly states = new Set<string>();
  private length = 0;
  private readonly initial: PlacementState;
  /** By tree: its text before any placement. */
  private readonly originals = new Map<number, string>();
  private readonly plans: readonly Plan[];
  /** The classes, traits and aggregates that the plans read, and the classes of their orders. */
  private readonly classes = new Set<number>();
  private readonly ordered = new Set<number>();
  private readonly traits = new Set<number>();
  private readonly aggregates = new Set<number>();

  constructor(private readonly state: PlacementState) {
    const { problem, goal } = state;
    this.initial = new PlacementState(problem, goal);
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
        for (const id of [...requiredTraits.ids, ...forbiddenTraits.ids]) this.traits.add(id);
        for (const id of [...memberOf.ids, ...forbiddenAggregates.ids]) this.aggregates.add(id);
      }
    }
  }

  /** Returns a text that is equal for interchangeable trees. */
  textOf(treeIndex: number): string {
    let text = this.originals.get(treeIndex);
    if (text === undefined) this.originals.set(treeIndex, (text = this.contentsOf(treeIndex, this.initial)));
    const { touched, counts } = this.state;
    if (!touched.has(treeIndex)) return text;
    return `${text}>${counts.textOfTree(treeIndex)}${this.contentsOf(treeIndex, this.state)}`;
  }

  /** Records the state. Returns true for a repeated state. A scored state includes allocations. */
  isRepeated(isScored: boolean): boolean {
    const { problem, remaining, alternatives, skipped, counts } = this.state;
    const open = alternatives.map((alternative, member) =>
      remaining[member] > 0 || problem.relations.isRelated(member) ? alternative : '-',
    );
    const placed = isScored || !problem.isComparable ? this.placedText() : this.placedContents();
    const text = `${remaining.join()}${this.openKinds()};${open.join()};${skipped};${this.state.moved};${counts.text}|${placed}`;
    if (this.states.has(text)) return true;
    if (this.length + text.length > MAX_LENGTH) return false;
    this.states.add(text);
    this.length += text.length;
    return false;
  }

  /** Describes the open consumers if their order is free. Else their numbers suffice. */
  private openKinds(): string {
    const { problem } = this.state;
    const { relations, present } = problem;
    if (!problem.isSplit || (relations.isEmpty && present.count === 0)) return '';
    const open = problem.members.flatMap((_, member) => this.state.openConsumers(member));
    return open
      .map((consumer) => `${relations.kindOf(consumer)} ${present.keyOf(consumer)}`)
      .sort()
      .join();
  }

  private placedContents(): string {
    return Array.from(this.state.touched.keys(), (tree) => this.textOf(tree))
      .sort()
      .join('|');
  }

  /** Returns the members with their providers, up to the order of equal consumers. */
  private placedText(): string {
    const texts = this.state.placements.map(({ member, consumer, treeIndex, allocations, domains }) => {
      const kind = this.state.problem.relations.kindOf(consumer) ?? member;
      const amounts = allocations.map(({ provider: { block, row }, resources }) => {
        const all = resources.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`);
        return `${block.ids[row]}:${all.sort().join('+')}`;
      });
      return `${kind}@${treeIndex} ${amounts.sort().join(' ')}/${domains.map((some) => some.join('+')).join('/')}`;
    });
    const { chosenDomains, chosenTrees } = this.state.counts;
    return `${chosenDomains.join()};${chosenTrees.join()}|${texts.sort().join('|')}`;
  }

  /**
   * Describes a tree in a state by the data that the plans and rules read, up to the order of siblings and
   * apart from placement policies.
   */
  private contentsOf(treeIndex: number, state: PlacementState): string {
    const { effort, levels } = state.problem;
    const { block, start, end } = treeOf(state.overlay, treeIndex);
    effort.otherWork += end - start;
    const allowed = this.plans.map(({ trees: { excluded, away, near }, orderBy }) => {
      const isAllowed = !excluded.has(treeIndex) && !away.has(treeIndex) && near?.has(treeIndex) !== false;
      const nearby = orderBy.map((term) => ('trees' in term ? valueOfTree(term, treeIndex) : ''));
      return `${Number(isAllowed)}${nearby.join()}`;
    });
    const domains = levels.map((level, rule) =>
      level
        .domainsByRow(treeIndex)
        .map((some) =>
          level.isWithinTrees
            ? some.map((domain) => state.counts.textOfDomain(rule, domain)).join('+')
            : some.join('+'),
        ),
    );
    const subtree = (row: number): string => {
      const children: string[] = [];
      for (let child = row + 1; child < block.ends[row]; child = block.ends[child])
        children.push(subtree(child));
      const own = domains.map((texts) => texts[row - start]).join('~');
      return `(${this.providerText(block, row)};${own}${children.sort().join('')})`;
    };
    return `${allowed.join(';')}${state.relations.textOfTree(treeIndex)}|${start === end ? '' : subtree(start)}`;
  }

  private providerText(block: Block, row: number): string {
    const parts: (string | number)[] = [
      block.sharing[row],
      this.state.problem.present.textAt(block.ids[row]),
    ];
    for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
      const resourceClass = block.classes[at];
      if (!this.classes.has(resourceClass)) continue;
      const units = [block.minUnits[at], block.maxUnits[at], block.stepSizes[at]];
      parts.push(resourceClass, freeAt(block, at), ...units);
      if (this.ordered.has(resourceClass)) parts.push(block.capacities[at]);
      const base = block.inventoryStarts[block.treeStarts[block.trees[row]]];
      for (const { counter, amount } of countersOf(block, at))
        parts.push('c', counter - base, amount, counter < 0 ? 0 : freeAt(block, counter));
    }
    parts.push('t');
    for (let at = block.traitStarts[row]; at < block.traitStarts[row + 1]; at++)
      if (this.traits.has(block.traits[at])) parts.push(block.traits[at]);
    parts.push('a');
    for (let at = block.aggregateStarts[row]; at < block.aggregateStarts[row + 1]; at++)
      if (this.aggregates.has(block.aggregates[at])) parts.push(block.aggregates[at]);
    return parts.join();
  }
}
