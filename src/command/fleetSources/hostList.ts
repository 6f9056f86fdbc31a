/** The maximum number of hosts of a list. A range such as [1-999999999] is a mistake. */
const MAX_HOSTS = 100_000;

/**
 * Expands a host list of Slurm, such as `r[1-2]n[01-03],login`. Keeps the order, duplicates and the width of numbers;
 * the last bracket counts fastest. Throws an Error for a malformed list.
 */
export function expandHosts(text: string): string[] {
  const hosts: string[] = [];
  for (const part of splitOutside(text)) {
    if (part === '') throw new Error(`the host list "${text.slice(0, 60)}" has an empty part`);
    for (const host of expandPart(part)) {
      hosts.push(host);
      if (hosts.length > MAX_HOSTS) throw new Error(`the host list has more than ${MAX_HOSTS} hosts`);
    }
  }
  return hosts;
}

/** Splits at commas outside of brackets. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === '[') depth++;
    else if (character === ']') depth--;
    if (depth < 0 || depth > 1)
      throw new Error(`the brackets of the host list "${text.slice(0, 60)}" do not match`);
    if (character !== ',' || depth > 0) continue;
    parts.push([...text].slice(start, at).join(''));
    start = at + 1;
  }
  if (depth !== 0) throw new Error(`the brackets of the host list "${text.slice(0, 60)}" do not match`);
  return [...parts, [...text].slice(start).join('')];
}

function expandPart(part: string): string[] {
  const pieces = part.split(/[[\]]/);
  let hosts = [''];
  for (const [at, piece] of pieces.entries()) {
    const ends = at % 2 === 0 ? [piece] : numbersOf(piece);
    if (hosts.length * ends.length > MAX_HOSTS)
      throw new Error(`the host list has more than ${MAX_HOSTS} hosts`);
    hosts = hosts.flatMap((host) => ends.map((end) => host + end));
  }
  return hosts;
}

/**
 * Expands `01,1-2` to 01, 1 and 2. A range has the width of its first number. Numbers may be long: Slurm 22.05 reads those
 * of 2^64 and more as 2^64 - 1 (`findings/slurm-long-host-numbers.sh`).
 */
function numbersOf(text: string): string[] {
  return text.split(',').flatMap((range) => {
    const [, first, last = first] = /^(\d{1,40})(?:-(\d{1,40}))?$/.exec(range) ?? [];
    if (first === undefined || BigInt(last) < BigInt(first))
      throw new Error(`"${range.slice(0, 60)}" is no number or range of a host list`);
    const count = BigInt(last) - BigInt(first) + 1n;
    if (count > MAX_HOSTS) throw new Error(`the host list has more than ${MAX_HOSTS} hosts`);
    return Array.from({ length: Number(count) }, (_, at) =>
      String(BigInt(first) + BigInt(at)).padStart(first.length, '0'),
    );
  });
}
