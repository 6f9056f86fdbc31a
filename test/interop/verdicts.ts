import type { RestAnswer } from '../../bench/beside/reference.js';
import type { Write } from './write.js';

/** Whether a program has done what it was asked, and why not. */
export interface Verdict {
  readonly isAccepted: boolean;
  /** Why not: a code of this server's, or status and code of the reference. */
  readonly reason: string | null;
  /** All that it said. */
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
  // Of what the path names, of a provider or parent that the body names, of a provider of a reshape.
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

/** Rule 32: of the deletion of one inventory the reference says that it was changed. */
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
 * Whether the reasons of two rejections of one write are the same, or the reference's one applies as well: this server says the first
 * one in order of precedence (rule 195), so that the reference's one comes later.
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

/** Whether a generation that the write sends is not the one stored. */
function isStale(write: Write): boolean {
  const parts = [
    write,
    ...('consumers' in write ? write.consumers : []),
    ...('providers' in write ? write.providers : []),
  ];
  return parts.some((part) => 'isStale' in part && part.isStale);
}
