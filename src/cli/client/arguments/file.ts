import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { Failure } from '../connection/failure.js';

/** What a file has, JSON or YAML; `-` is standard input. The server says what is wrong with the content. @param option that names it */
export async function readInput<Input>(file: string, option: string): Promise<Input> {
  const { parse } = await import('yaml');
  try {
    const text = file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8');
    return parse(text) as Input;
  } catch (error) {
    throw Failure.usage(`${option} ${file}: ${(error as Error).message}`);
  }
}
