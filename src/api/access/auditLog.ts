import type { GraphQLResolveInfo } from 'graphql';
import { entryOf } from '../../model/errors.js';
import { OutcomeUnknown } from '../../store/ledger/transaction.js';
import type { Context } from '../context.js';

/** The maximum length of an input in the log, as JSON (characters). A longer input is cut. */
const LONGEST_INPUT = 2_000;

/** Wraps a write: the audit log records it when it ends, also if it fails. */
export function audited<Input, Payload>(
  mutation: string,
  write: (input: Input, context: Context, info: GraphQLResolveInfo) => Payload | Promise<Payload>,
): (input: Input, context: Context, info: GraphQLResolveInfo) => Promise<Payload> {
  return (input, context, info) =>
    recordWrite(mutation, input, context, async () => write(input, context, info));
}

/** Runs a write: the audit log records it when it ends, also if it fails. */
export async function recordWrite<Payload>(
  mutation: string,
  input: unknown,
  context: Context,
  write: () => Promise<Payload>,
): Promise<Payload> {
  try {
    const payload = await write();
    logWrite(mutation, input, 'OK', context);
    return payload;
  } catch (error) {
    logWrite(mutation, input, outcomeOf(error), context);
    throw error;
  }
}

/** Writes a line of the audit log: the viewer, the mutation, its input and its outcome. */
export function logWrite(mutation: string, input: unknown, outcome: string, context: Context): void {
  const { log, viewer, requestId } = context;
  const text = JSON.stringify(input, beginning) ?? '';
  log.record(
    {
      audit: {
        user: viewer?.userId ?? null,
        project: viewer?.projectId ?? null,
        mutation,
        outcome,
        input: text.length > LONGEST_INPUT ? `${text.slice(0, LONGEST_INPUT)}…` : text,
      },
      requestId,
    },
    'write',
  );
}

/** Shortens a long list or object for JSON.stringify. The log would cut the text of its end anyway. */
function beginning(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length > LONGEST_INPUT ? value.slice(0, LONGEST_INPUT) : value;
  const members = Object.entries(value);
  return members.length > LONGEST_INPUT ? Object.fromEntries(members.slice(0, LONGEST_INPUT)) : value;
}

/** Returns the code that the client receives, or FAILED if the error is not a rejection. */
function outcomeOf(error: unknown): string {
  if (error instanceof OutcomeUnknown) return 'OUTCOME_UNKNOWN';
  return (entryOf(error) ?? entryOf((error as Error).cause))?.code ?? 'FAILED';
}
