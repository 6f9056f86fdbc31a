import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the only file below a folder that contains the text of a mutation, once. */
export function placeOf(folder, { name, find }) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = files.filter((file) => readFileSync(join(folder, file), 'utf8').includes(find));
  const [file] = found;
  if (found.length !== 1 || readFileSync(join(folder, file), 'utf8').split(find).length !== 2)
    throw new Error(
      `the text of a mutation must occur once in the sources: ${name} (${found.join(', ') || 'nowhere'})`,
    );
  return join(folder, file);
}
