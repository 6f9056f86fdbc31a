import { AMOUNTS } from './amounts.js';
import type { HardCase } from './cases.js';
import { DEVICES } from './devices.js';
import { SHARED } from './shared.js';
import { SPLITS } from './splits.js';
import { SUBTREES } from './subtrees.js';

/** Requests that a plain search would take very long to answer. */
export const HARD_CASES: readonly HardCase[] = [...SPLITS, ...DEVICES, ...AMOUNTS, ...SUBTREES, ...SHARED];
