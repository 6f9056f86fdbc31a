import type { PrismaClient } from '../../generated/prisma/client.js';
import type { Operation } from '../../model/operation/operation.js';
import type { Database, ReadableDatabase } from './database.js';
import { onConnection } from './onConnection.js';
import { textOf, type Queryable } from '../sql/statements.js';

/**
 * Returns the database for the reads of one operation. Each read waits until the operation may use
 * a connection. If the operation aborts, its reads reject and the server stops its SQL statement. A
 * statement of Prisma runs on until the statement timeout at the latest.
 */
export function readableDatabase(
  database: Pick<Database, 'pool' | 'identify' | 'kill' | 'prisma' | 'spellings'>,
  operation: Operation,
): ReadableDatabase {
  return new OperationReader(database, operation);
}

/** A class, because each operation creates one: an object literal with a getter takes microseconds. */
class OperationReader implements ReadableDatabase {
  readonly spellings: ReadableDatabase['spellings'];
  readonly pool: Queryable;
  private bound: PrismaClient | undefined;

  constructor(
    private readonly database: Parameters<typeof readableDatabase>[0],
    private readonly operation: Operation,
  ) {
    this.spellings = database.spellings;
    this.pool = {
      query: <T>(...statement: Parameters<Queryable['query']>) =>
        operation.activity.statement(textOf(statement[0]), () =>
          operation.withConnection(() =>
            onConnection(database, (connection) => connection.query<T>(...statement), operation),
          ),
        ),
    };
  }

  get prisma(): PrismaClient {
    return (this.bound ??= boundPrisma(this.database.prisma, this.operation));
  }
}

function boundPrisma(prisma: PrismaClient, operation: Operation): PrismaClient {
  const bound = prisma.$extends({
    query: {
      $allOperations: ({ model, operation: method, args, query }) =>
        operation.activity.statement(`Prisma ${model}.${method}`, () =>
          operation.withConnection(() => query(args)),
        ),
    },
  });
  return bound as unknown as PrismaClient;
}
