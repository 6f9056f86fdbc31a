import type { GraphQLError } from 'graphql';
import { DomainError } from '../model/errors.js';
import { builder } from './builder.js';
import { common } from './errors.js';

/** The result of a mutation that committed its write, and whose payload could not be read. */
export class CommittedError extends DomainError {
  readonly code = 'COMMITTED';

  /**
   * @param ids the global ids of the written objects
   * @param cause the error of a field of the payload; null if a later mutation has failed
   */
  constructor(
    readonly ids: readonly string[],
    override readonly cause: GraphQLError | null,
  ) {
    super('The write was committed, but its payload could not be read.');
  }
}

builder.objectType(CommittedError, {
  ...common('COMMITTED', CommittedError),
  fields: (t) => ({
    ids: t.idList({
      description: 'The global ids of the written objects. An entry of `errors` states the reason.',
      resolve: ({ ids }) => [...ids],
    }),
  }),
});
