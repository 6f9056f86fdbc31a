import type { GraphQLResolveInfo } from 'graphql';
import { entryOf } from '../../domain/errors.js';
import { OutcomeUnknown } from '../../ledger/transaction.js';
import type { Context } from '../context.js';

/** Of a longer input, as JSON, the log has the beginning (characters). */
const LONGEST_INPUT = 2_000;

/** Has a write told to the audit log when it has ended, whatever its outcome. */
export function audited<Input, Payload>(
  mutation: string,
  write: (input: Input, context: Context, info: GraphQLResolveInfo) => Payload | Promise<Payload>,
): (input: Input, context: Context, info: GraphQLResolveInfo) => Promise<Payload> {
  return async (input, context, info) => {
    try {
      const payload = await write(input, context, info);
      logWrite(mutation, input, 'OK', context);
      return payload;
    } catch (error) {
      logWrite(mutation, input, outcomeOf(error), context);
      throw error;
    }
  };
}

/** A line of the audit log: who has asked for which write, and what has become of it. */
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

/** Shortens a long list: what follows its first entries would not be logged anyway. */
function beginning(_key: string, value: unknown): unknown {
  return Array.isArray(value) && value.length > LONGEST_INPUT ? value.slice(0, LONGEST_INPUT) : value;
}

/** The code of the error that the client is told, FAILED for those that say nothing of the write. */
function outcomeOf(error: unknown): string {
  if (error instanceof OutcomeUnknown) return 'OUTCOME_UNKNOWN';
  return entryOf(error)?.code ?? 'FAILED';
}
