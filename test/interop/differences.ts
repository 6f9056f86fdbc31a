/**
 * The differences between the reference and this server, by the rule or decision of docs/reference/rules.md. The tests compute the
 * answer of the reference from them and compare it.
 */
const DIFFERENCES = {
  D1: 'an amount is a multiple of stepSize, also where it is minUnit',
  D2: 'capacities are computed in binary floating point',
  D5: 'generations are incremented by other writes (rules 36, 45, 60 to 64, 84, 190)',
  D12: 'an unknown name in a filter is not noticed if an earlier condition matches no provider',
  'rule 29': 'an inventory that is created has no generation to be compared',
  'rule 69': 'a prefix of trait names is a pattern, in which _ is any character',
  'rule 88':
    'a write that fails because of an unknown provider, or gives nothing, leaves a consumer at generation 0',
  'rule 99': 'what is over capacity cannot be written again (OpenStack Placement has allowed it since 2025)',
  'rule 135': 'a resourceless group with negative conditions or in_tree alone is served by no provider',
  'rule 136': 'in_tree of a resourceless group with other conditions is not applied',
  'rule 150': 'a solution made of sharing providers is combined at one of its anchors alone',
  'rule 151': 'HTTP 500: a sharing provider that is no root, whose own tree has no solution',
  'rule 159': 'with isolation, amounts of the unsuffixed group and a granular one are added up several times',
} as const;

export type Rule = keyof typeof DIFFERENCES;

/** Returns the rules that change the expectation: each if it is omitted, or else each if it is alone. */
export function rulesApplied<Of extends Rule>(
  all: readonly Of[],
  expected: (rules: ReadonlySet<Of>) => unknown,
): Of[] {
  const text = (rules: readonly Of[]): string => JSON.stringify(expected(new Set(rules)));
  const [none, complete] = [text([]), text(all)];
  if (none === complete) return [];
  const needed = all.filter((rule) => text(all.filter((other) => other !== rule)) !== complete);
  return needed.length > 0 ? needed : all.filter((rule) => text([rule]) !== none);
}

/** Counts the comparisons that were exact, and exact after rules were applied. */
export class Tally {
  private readonly counts = new Map<string, number>();
  private total = 0;

  /** Counts a comparison. @param rules the rules by which the reference had to answer differently */
  compared(rules: readonly Rule[] = []): void {
    this.total++;
    this.count(rules.length === 0 ? 'compared exactly' : 'compared exactly after rules were applied');
    for (const rule of rules) this.count(`  ${rule}: ${DIFFERENCES[rule]}`);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  get(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  tell(title: string): void {
    const lines = [...this.counts].sort().map(([what, times]) => `  ${what}: ${times}`);
    process.stderr.write(`${title}: ${this.total}\n${lines.join('\n')}\n`);
  }
}
