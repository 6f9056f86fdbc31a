import { readdirSync, readFileSync } from 'node:fs';
import type { Answer, Candidate, Summary } from './answers.js';
import type { CaseRequest } from './caseRequests.js';
import type { Forest } from './forest.js';

const folder = new URL('../conformance/', import.meta.url);

/** One answer of the reference, providers by name. */
interface RecordedAnswer {
  status: number;
  allocationRequests: Candidate[];
  providerSummaries: Record<string, Summary>;
}

/** One recorded fleet with its requests and the reference's answers. */
interface RecordedForest extends Forest {
  cases: { request: CaseRequest; expected: RecordedAnswer }[];
}

/** The names of all recorded files, in order. */
export function recordedFiles(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
}

export function recordedForest(file: string): RecordedForest {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordedForest;
}

/** Returns the reference's answer by uuid, in the shape of the server's own answers. */
export function recordedAnswer({ providers }: Forest, expected: RecordedAnswer): Answer {
  const uuids = new Map(providers.map(({ name, uuid }) => [name, uuid]));
  const uuid = (name: string): string => uuids.get(name)!;
  const rename = <T>(byName: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(byName).map(([name, value]) => [uuid(name), value]));
  return {
    candidates: expected.allocationRequests.map(({ allocations, mappings }) => ({
      allocations: rename(allocations),
      mappings: Object.fromEntries(
        Object.entries(mappings).map(([suffix, names]) => [suffix, names.map(uuid).sort()]),
      ),
    })),
    summaries: Object.fromEntries(
      Object.entries(rename(expected.providerSummaries)).map(([provider, summary]) => [
        provider,
        {
          ...summary,
          parent: summary.parent === null ? null : uuid(summary.parent),
          root: uuid(summary.root),
        },
      ]),
    ),
  };
}
