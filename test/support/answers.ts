import type { Forest } from './forest.js';

/** One candidate: amounts by provider uuid and class, and the sorted provider uuids that serve each group, by suffix. */
export interface Candidate {
  allocations: Record<string, Record<string, number>>;
  mappings: Record<string, string[]>;
}

/** The summary of one provider of a tree in use (rule 179). */
export interface Summary {
  resources: Record<string, { capacity: number; used: number }>;
  traits: string[];
  parent: string | null;
  root: string;
}

/** An answer in which uuids identify all providers. */
export interface Answer {
  candidates: Candidate[];
  summaries: Record<string, Summary>;
}

/** Returns equal texts for equal candidates, independent of the order of their parts (rule 170). */
export function candidateKey({ allocations, mappings }: Candidate): string {
  const amounts = Object.entries(allocations).flatMap(([provider, classes]) =>
    Object.entries(classes).map(([resourceClass, amount]) => `${provider} ${resourceClass}:${amount}`),
  );
  const served = Object.entries(mappings).map(([suffix, providers]) => `${suffix}=${providers.join(',')}`);
  return [...amounts.sort(), '|', ...served.sort()].join(' ');
}

/**
 * Returns the sorted keys of all candidates. Equal sets give equal keys; a duplicate repeats a
 * line.
 */
export function candidateKeys(candidates: Candidate[]): string[] {
  return candidates.map(candidateKey).sort();
}

/** Returns the sorted names of the providers that a candidate takes resources of. */
export function providersOf({ providers }: Forest, { allocations }: Candidate): string[] {
  return providers
    .filter(({ uuid }) => uuid in allocations)
    .map(({ name }) => name)
    .sort();
}

/**
 * Candidates in the notation of the source documents, sorted: `CN1 MEMORY_MB:512 DISK_GB:500 + NUMA1_1 VCPU:1`, followed by
 * ` | _N=nic1` for each group when `withMappings`. Compare with `lines(...)`.
 */
export function candidateLines(
  { candidates }: Answer,
  { providers }: Forest,
  withMappings = false,
): string[] {
  const names = new Map(providers.map(({ uuid, name }) => [uuid, name]));
  const name = (uuid: string): string => names.get(uuid) ?? uuid;
  return candidates
    .map(({ allocations, mappings }) => {
      const drawn = Object.entries(allocations).map(([provider, classes]) =>
        [name(provider), ...Object.entries(classes).map(([key, amount]) => `${key}:${amount}`)].join(' '),
      );
      const served = Object.entries(mappings).map(
        ([suffix, uuids]) => `${suffix}=${uuids.map(name).sort().join(',')}`,
      );
      return canonical(drawn.join(' + ') + (withMappings ? ` | ${served.join(' ')}` : ''));
    })
    .sort();
}

/** Reads the expected side of `candidateLines`: one candidate a line, its parts in any order. */
export function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map(canonical)
    .sort();
}

function canonical(line: string): string {
  const [drawn, served] = line.split('|').map((side) => side.trim());
  const allocations = drawn
    .split('+')
    .map((part) => {
      const [provider, ...amounts] = part.trim().split(/\s+/);
      return [provider, ...amounts.sort()].join(' ');
    })
    .sort()
    .join(' + ');
  return served === undefined ? allocations : `${allocations} | ${served.split(/\s+/).sort().join(' ')}`;
}
