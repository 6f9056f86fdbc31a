import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CandidatesRequest } from '../src/model/request.js';
import { PROBE } from './programs.js';
import type { Resident } from './resident.js';

/** The measurements of the snapshot and the search in a fresh process, without GraphQL or HTTP. */
export interface ProbeRequest {
  readonly databaseUrl: string;
  readonly searches?: readonly SearchRequest[];
  /** Providers with free capacity. Each round changes one of them before it reads the snapshot. */
  readonly changes?: { readonly providers: readonly string[]; readonly rounds: number };
  /** How often the database is compared with the snapshot. */
  readonly comparisons?: number;
}

export interface SearchRequest {
  readonly request: CandidatesRequest;
  readonly limit: number | null;
  readonly rounds: number;
}

export interface ProbeResult {
  /** The time of the first load of the whole fleet in this process. */
  readonly loadMs: number;
  /** The memory after the load. */
  readonly resident: Resident;
  /** In the order of the requested searches. */
  readonly searches: readonly { readonly found: number; readonly times: readonly number[] }[];
  /** Null if no changes were requested. */
  readonly refresh: Refreshes | null;
  readonly comparison: Comparisons;
}

/** Times of whole comparisons of the database with the snapshot, and the processor time of this process in each. */
export interface Comparisons {
  readonly times: readonly number[];
  readonly ownProcessor: readonly number[];
}

/**
 * Times of `current()` after one change by another writer and without a change, and times of one
 * read by primary key.
 */
export interface Refreshes {
  readonly changed: readonly number[];
  readonly unchanged: readonly number[];
  readonly read: readonly number[];
}

export async function runProbe(order: ProbeRequest): Promise<ProbeResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROBE.program, JSON.stringify(order)], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as ProbeResult;
}
