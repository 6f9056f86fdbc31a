/** How a transaction has changed how much is in use of one provider. */
export interface UsageChange {
  readonly id: number;
  /** After it. */
  readonly generation: number;
  /** How many generations it has gone on by this. */
  readonly steps: number;
  /** By how much more of each resource class is in use; less where it is negative. */
  readonly amounts: readonly (readonly [classId: number, amount: number])[];
}

/** What a committed transaction has changed of providers of which it has changed nothing but usage, and its place in the feed. */
export interface UsageCommit {
  readonly writerId: number;
  readonly seq: number;
  readonly providers: readonly UsageChange[];
}

/** What a commit has changed of some providers; nothing: none of them. */
export function usageOf(commit: UsageCommit, isWanted: (id: number) => boolean): UsageCommit[] {
  const providers = commit.providers.filter(({ id }) => isWanted(id));
  return providers.length > 0 ? [{ ...commit, providers }] : [];
}

/** The ids of the providers of these commits. */
export function providersIn(commits: readonly UsageCommit[]): number[] {
  return commits.flatMap(({ providers }) => providers.map(({ id }) => id));
}

/** As much as the column holds. */
const LONGEST_TEXT = 255;

/** What a row of the feed says of a change, beside id and generation: `1 0:4 2:-20`, the steps and each amount; null: it is too long. */
export function usageText({ steps, amounts }: Pick<UsageChange, 'steps' | 'amounts'>): string | null {
  const text = [steps, ...amounts.map(([classId, amount]) => `${classId}:${amount}`)].join(' ');
  return text.length > LONGEST_TEXT ? null : text;
}

export function usageChangeOf(id: number, generation: number, text: string): UsageChange {
  const [steps, ...amounts] = text.split(' ');
  return {
    id,
    generation,
    steps: Number(steps),
    amounts: amounts.map((each) => {
      const colon = each.indexOf(':');
      return [Number(each.slice(0, colon)), Number(each.slice(colon + 1))] as const;
    }),
  };
}
