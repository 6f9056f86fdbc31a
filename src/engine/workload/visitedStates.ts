import type { PlacementState } from './placementState.js';
import type { Problem } from './problem.js';
import { TreeContents } from './treeContents.js';

/** The maximum length of all recorded texts. */
const MAX_LENGTH = 2 ** 26;

/** Recognizes equal states of a search. */
export class VisitedStates {
  private readonly states = new Set<string>();
  private length = 0;
  private readonly contents: TreeContents;
  /** By tree: its text before any placement. */
  private readonly originals = new Map<number, string>();

  constructor(
    private readonly problem: Problem,
    private readonly state: PlacementState,
  ) {
    this.contents = new TreeContents(problem, state);
  }

  /** Returns a text that is equal for interchangeable trees. */
  textOf(treeIndex: number): string {
    const isTouched = this.state.touched.has(treeIndex);
    const original = this.originals.get(treeIndex);
    if (original !== undefined && !isTouched) return original;
    const text = this.contents.of(treeIndex);
    if (!isTouched) this.originals.set(treeIndex, text);
    return isTouched ? `${original}>${this.state.counts.textOfTree(treeIndex)}${text}` : text;
  }

  /** Records the state. Returns true for a repeated state. A scored state includes allocations. */
  isRepeated(isScored: boolean): boolean {
    const { remaining, alternatives, skipped, counts } = this.state;
    const open = alternatives.map((alternative, member) => (remaining[member] > 0 ? alternative : '-'));
    const placed = isScored || !this.problem.isComparable ? this.placedText() : this.placedContents();
    const text = `${remaining.join()};${open.join()};${skipped};${counts.text}|${placed}`;
    if (this.states.has(text)) return true;
    if (this.length + text.length > MAX_LENGTH) return false;
    this.states.add(text);
    this.length += text.length;
    return false;
  }

  private placedContents(): string {
    return Array.from(this.state.touched.keys(), (tree) => this.textOf(tree))
      .sort()
      .join('|');
  }

  /** Returns the members with their providers, up to the order of equal consumers. */
  private placedText(): string {
    const texts = this.state.placements.map(({ member, treeIndex, allocations, domains }) => {
      const amounts = allocations.map(({ provider: { block, row }, resources }) => {
        const all = resources.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`);
        return `${block.ids[row]}:${all.sort().join('+')}`;
      });
      return `${member}@${treeIndex} ${amounts.sort().join(' ')}/${domains.map((some) => some.join('+')).join('/')}`;
    });
    const { chosenDomains, chosenTrees } = this.state.counts;
    return `${chosenDomains.join()};${chosenTrees.join()}|${texts.sort().join('|')}`;
  }
}
