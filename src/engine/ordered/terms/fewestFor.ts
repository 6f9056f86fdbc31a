/** Returns the minimum number of providers that can take an amount together. */
export function fewestFor(amount: number, largest: number[]): number {
  largest.sort((a, b) => b - a);
  let count = 0;
  for (let rest = amount; rest > 0 && count < largest.length; count++) rest -= largest[count];
  return count;
}
