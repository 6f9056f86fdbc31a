/** A step that takes longer than this many ms is shown while it runs. */
const quick = 1_000;

/** Runs a step of a command; a slow one is announced and its duration told. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  let announced = false;
  const announce = setTimeout(() => {
    announced = true;
    console.log(`${name} ...`);
  }, quick);
  try {
    const result = await work();
    if (announced) console.log(`${name}: done in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(announce);
  }
}

/** Passes on at most one line in two seconds. */
export function unhurried(say: (line: string) => void): (line: string) => void {
  let last = Date.now();
  return (line) => {
    if (Date.now() - last < 2_000) return;
    last = Date.now();
    say(line);
  };
}
