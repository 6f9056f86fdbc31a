/** What can be cited, each kind with the numbers that are defined. */
export interface Defined {
  readonly rule: ReadonlySet<number>;
  readonly decision: ReadonlySet<number>;
  readonly fixture: ReadonlySet<number>;
  readonly adr: ReadonlySet<number>;
}

export interface Problem {
  readonly line: number;
  readonly problem: string;
}

/** Between the words of a citation: white space, also that of a comment or a paragraph that continues in the next line. */
const GAP = String.raw`(?:[ \t]|\n[ \t]*(?:\*|//)?[ \t]*)+`;
/** Between its numbers. */
const BETWEEN = String.raw`(?:${GAP}and${GAP}|${GAP}to${GAP}|,${GAP}(?:and${GAP})?|[-–])`;

const cited = (words: string, letter: string): RegExp =>
  new RegExp(String.raw`\b(?:${words})${GAP}(${letter}\d+\b(?:${BETWEEN}${letter}\d+\b)*)`, 'gi');

const CITED = {
  rule: cited('rules?', ''),
  decision: /\bD(\d+)\b/g,
  fixture: cited('fixtures?', 'F'),
  adr: cited('ADRs?', ''),
} satisfies Record<keyof Defined, RegExp>;

/** Forms in which nothing is cited, with what to write instead. */
const OUTLAWED: readonly (readonly [form: RegExp, instead: string])[] = [
  [new RegExp(String.raw`\bdecisions?${GAP}\d+`, 'gi'), 'an architecture decision is cited as "ADR 5"'],
  [/\bdocs\/decisions\/\d+\b(?!-)/g, 'an architecture decision is cited as "ADR 5"'],
  [new RegExp(String.raw`\bseeds?${GAP}0\d\d\b`, 'gi'), 'a source document is cited by its name'],
];

/** Citations in a text of numbers that are not defined, and citations in an outlawed form. */
export function badCitations(text: string, defined: Defined): Problem[] {
  const problems: (Problem & { at: number })[] = [];
  const report = (at: number, problem: string): void => {
    problems.push({ at, line: text.slice(0, at).split('\n').length, problem });
  };
  for (const kind of Object.keys(CITED) as (keyof Defined)[]) {
    for (const match of text.matchAll(CITED[kind])) {
      for (const number of numbersIn(match[1])) {
        if (!defined[kind].has(number)) report(match.index, `${kind} ${number} is not defined`);
      }
    }
  }
  for (const [form, instead] of OUTLAWED) {
    for (const match of text.matchAll(form)) report(match.index, `"${match[0]}": ${instead}`);
  }
  return problems.sort((a, b) => a.at - b.at).map(({ line, problem }) => ({ line, problem }));
}

/** The numbers of a list with ranges, such as "5, 7-9 and 12". */
function numbersIn(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:\s*(?:[-–]|\bto\b)\s*[DF]?(\d+))?/g)].flatMap(
    ([, first, last = first]) => {
      const [from, to] = [Number(first), Number(last)];
      return to < from ? [from, to] : Array.from({ length: to - from + 1 }, (_, step) => from + step);
    },
  );
}

/** The numbers of the paragraphs that begin with an anchor and a number in bold, such as `<a id="r5"></a>**5.**`. */
export function definitions(page: string, anchor: string, letter = ''): number[] {
  const form = new RegExp(`^<a id="${anchor}(\\d+)"></a>\\*\\*${letter}(\\d+)\\.\\*\\* \\S`, 'gm');
  return [...page.matchAll(form)].map(([, id, number]) => (id === number ? Number(number) : NaN));
}
