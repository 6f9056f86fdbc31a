import { readFileSync } from 'node:fs';
import { forest, type Forest } from './forest.js';

/** A block of a text file. */
export interface Block {
  readonly title: string;
  /** The lines below the title by their mark, such as `+` for `  + text`. */
  readonly lines: Readonly<Record<string, string[]>>;
}

/** Reads the blocks of a file, which blank lines separate. A block without a title is a comment. */
export function readBlocks(file: URL): Block[] {
  return blocksIn(file).flatMap((lines) => {
    const title = titleOf(lines);
    if (title === undefined) return [];
    const marked: Record<string, string[]> = {};
    for (const [mark, text] of markedLines(lines)) (marked[mark] ??= []).push(text);
    return [{ title, lines: marked }];
  });
}

export interface Question {
  readonly query: string;
  /** The lines of the answer by their mark. */
  readonly answer: Readonly<Record<string, string[] | undefined>>;
}

export interface Example {
  readonly title: string;
  readonly forest: Forest;
  readonly questions: readonly Question[];
}

/**
 * Reads a file of examples in blocks:
 *
 *     ## a heading
 *
 *         H1  VCPU:4
 *
 *     a title
 *       ? resources=VCPU:1
 *       = H1 VCPU:1
 *
 * Four spaces begin a line of a forest. It belongs to the example with the title above, or to all
 * following examples without a forest. `?` begins a question, or continues it before `&`. Other
 * marks begin a line of its answer. `#` is a comment.
 */
export function readExamples(file: URL): Example[] {
  let heading = '';
  let shared = '';
  return blocksIn(file).flatMap((lines) => {
    const picture = lines.filter((line) => line.startsWith('    ')).join('\n');
    const title = titleOf(lines);
    if (title === undefined) shared = picture || shared;
    else if (title.startsWith('## ')) heading = `${title.slice(3)}: `;
    else {
      const questions = questionsIn(markedLines(lines));
      return [{ title: heading + title, forest: forest(picture || shared), questions }];
    }
    return [];
  });
}

function questionsIn(lines: readonly (readonly [mark: string, text: string])[]): Question[] {
  const questions: { query: string; answer: Record<string, string[]> }[] = [];
  for (const [mark, text] of lines) {
    if (mark === '?' && !text.startsWith('&')) questions.push({ query: text, answer: {} });
    else if (mark === '?') questions.at(-1)!.query += text;
    else (questions.at(-1)!.answer[mark] ??= []).push(text);
  }
  return questions;
}

function blocksIn(file: URL): string[][] {
  const blocks = readFileSync(file, 'utf8').split(/\n{2,}/);
  return blocks.map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('# ')));
}

function titleOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => !line.startsWith(' '));
}

function markedLines(lines: readonly string[]): [mark: string, text: string][] {
  return lines.filter((line) => /^ {2}\S/.test(line)).map((line) => [line[2], line.slice(3).trim()]);
}
