import { isPlacement, type PlacementState } from './placementState.js';
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
    const original = this.originals.get(treeIndex);
    if (original !== undefined && !this.state.touched.has(treeIndex)) return original;
    const text = this.contents.of(treeIndex);
    if (!this.state.touched.has(treeIndex)) this.originals.set(treeIndex, text);
    return original === undefined ? text : `${original}>${text}`;
  }

  /** Records the state before the next consumer of a member. A scored state includes who uses what. */
  isRepeated(member: number, isScored: boolean): boolean {
    const progress = `${member}*${this.state.remaining[member]}:${this.alternativeOf(member)}`;
    const skipped = this.state.steps.reduce((sum, step) => sum + (isPlacement(step) ? 0 : step.skipped), 0);
    const text = `${progress}:${skipped}|${isScored ? this.placedText() : this.placedContents()}`;
    if (this.states.has(text)) return true;
    if (this.length + text.length > MAX_LENGTH) return false;
    this.states.add(text);
    this.length += text.length;
    return false;
  }

  private alternativeOf(member: number): number {
    const step = this.state.steps.find((one) => one.member === member && isPlacement(one));
    return step !== undefined && isPlacement(step) ? step.alternative : -1;
  }

  private placedContents(): string {
    if (!this.problem.isComparable) return this.placedText();
    const { touched, counts } = this.state;
    const texts = Array.from(touched.keys(), (tree) => this.textOf(tree));
    return `${counts.key}|${texts.sort().join('|')}`;
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
    return texts.sort().join('|');
  }
}
