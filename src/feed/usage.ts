/** How a transaction changed the usage of one provider. */
export interface UsageChange {
  readonly id: number;
  /** The generation after the transaction. */
  readonly generation: number;
  /** By how much the transaction increased the generation. */
  readonly steps: number;
  /** The change of the usage of each resource class. */
  readonly amounts: readonly (readonly [classId: number, amount: number])[];
}

/** The usage changes of one transaction, without providers of which it changed anything else. */
export interface UsageCommit {
  readonly writerId: number;
  readonly seq: number;
  readonly providers: readonly UsageChange[];
}

/** The part of a commit that concerns some providers; empty if it concerns none of them. */
export function usageOf(commit: UsageCommit, isWanted: (id: number) => boolean): UsageCommit[] {
  const providers = commit.providers.filter(({ id }) => isWanted(id));
  return providers.length > 0 ? [{ ...commit, providers }] : [];
}

/** The ids of the providers of these commits. */
export function providersIn(commits: readonly UsageCommit[]): number[] {
  return commits.flatMap(({ providers }) => providers.map(({ id }) => id));
}

/** The size of the column. */
const MAX_TEXT = 255;

/** The column `usage_change`: the steps and each amount, such as `1 0:4 2:-20`. Null if that is too long. */
export function usageText({ steps, amounts }: Pick<UsageChange, 'steps' | 'amounts'>): string | null {
  const text = [steps, ...amounts.map(([classId, amount]) => `${classId}:${amount}`)].join(' ');
  return text.length > MAX_TEXT ? null : text;
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
