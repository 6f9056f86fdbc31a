import type { RestAnswer } from '../../bench/beside/reference.js';
import type { Write } from './write.js';

/** Whether a program accepted a write, and the reason if it did not. */
export interface Verdict {
  readonly isAccepted: boolean;
  /** A code of this server, or status and code of the reference; null if accepted. */
  readonly reason: string | null;
  /** The whole answer. */
  readonly said: string;
}

const UNDEFINED = 'placement.undefined_code';
const CONFLICT = '409 placement.concurrent_update';

/**
 * The codes of this server in order of precedence (docs/reference/errors.md), each with the statuses and codes by which the reference
 * says the same.
 */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  INVALID_INPUT: [`400 ${UNDEFINED}`],
  // for an object in the path, a provider or parent in the body, a provider of a reshape
  NOT_FOUND: [`404 ${UNDEFINED}`, `400 ${UNDEFINED}`, '400 placement.resource_provider.not_found'],
  DUPLICATE_NAME: ['409 placement.duplicate_name'],
  DUPLICATE_UUID: ['409 placement.duplicate_name'],
  STANDARD_IS_IMMUTABLE: [`400 ${UNDEFINED}`],
  ILLEGAL_REPARENT: [`400 ${UNDEFINED}`],
  PROVIDER_GENERATION_CONFLICT: [CONFLICT],
  CONSUMER_GENERATION_CONFLICT: [CONFLICT],
  PROVIDER_HAS_CHILDREN: ['409 placement.resource_provider.cannot_delete_parent'],
  PROVIDER_IN_USE: ['409 placement.resource_provider.inuse'],
  TRAIT_IN_USE: [`409 ${UNDEFINED}`],
  RESOURCE_CLASS_IN_USE: [`409 ${UNDEFINED}`],
  INVENTORY_IN_USE: ['409 placement.inventory.inuse'],
  NO_INVENTORY: [`409 ${UNDEFINED}`],
  UNIT_VIOLATION: [`409 ${UNDEFINED}`],
  CAPACITY_EXCEEDED: [`409 ${UNDEFINED}`],
  RESHAPE_REFUSED: [`409 ${UNDEFINED}`, '409 placement.inventory.inuse'],
};

/** Rule 32: the reference reports a conflict if an inventory to delete is in use. */
const DELETE_INVENTORY: typeof REASONS = { ...REASONS, INVENTORY_IN_USE: [CONFLICT] };

export function verdictOfApi(answer: { readonly __typename: string; readonly code?: string }): Verdict {
  const isAccepted = answer.__typename.endsWith('Payload');
  return { isAccepted, reason: isAccepted ? null : answer.code!, said: JSON.stringify(answer) };
}

export function verdictOfReference({ status, body }: RestAnswer): Verdict {
  const said = `${status} ${JSON.stringify(body)}`;
  if (status < 300) return { isAccepted: true, reason: null, said };
  const { errors } = body as { readonly errors: readonly { readonly code?: string }[] };
  return { isAccepted: false, reason: `${status} ${errors[0].code ?? UNDEFINED}`, said };
}

/**
 * Compares the reasons of two rejections of one write. This server reports the first reason in order of precedence (rule 195);
 * another reason of the reference must come later in that order.
 */
export function compareReasons(write: Write, ours: Verdict, theirs: Verdict): 'same' | 'later' | 'another' {
  const table = write.kind === 'deleteInventory' ? DELETE_INVENTORY : REASONS;
  const codes = Object.keys(table);
  const meant = codes.filter((code) => table[code].includes(theirs.reason!));
  if (meant.includes(ours.reason!)) return 'same';
  const isReal = theirs.reason !== CONFLICT || isStale(write);
  return isReal && meant.some((code) => codes.indexOf(code) > codes.indexOf(ours.reason!))
    ? 'later'
    : 'another';
}

/** Returns whether the write sends a stale generation. */
function isStale(write: Write): boolean {
  const parts = [
    write,
    ...('consumers' in write ? write.consumers : []),
    ...('providers' in write ? write.providers : []),
  ];
  return parts.some((part) => 'isStale' in part && part.isStale);
}
