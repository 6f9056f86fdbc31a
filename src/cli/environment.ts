import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

/** An empty variable counts as one that is not set. */
const optional = <T extends z.ZodType>(type: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), type.optional());

const variables = z.object({
  DATABASE_URL: optional(
    z.string().regex(/^(mysql|mariadb):\/\//, 'must look like mysql://user:password@host:3306/database'),
  ),
  PORT: optional(z.coerce.number().int().min(0).max(65_535)),
  PLACEMENT_DATA_DIRECTORY: optional(z.string()),
  PLACEMENT_FOREIGN_WRITES_SECONDS: optional(z.coerce.number().positive()),
  PLACEMENT_BINARY_LOG: optional(z.enum(['0', '1'])),
});

/** What the commands take from the environment. */
export interface Environment {
  /** null: a private database is run */
  databaseUrl: string | null;
  /** 0: any free port */
  port: number;
  /** of the private database; `.data` in the checkout unless said otherwise */
  dataDirectory: string;
  /** within how many seconds writes of programs are seen that do not write the change feed; null: depends on the database */
  foreignWritesSeconds: number | null;
  /** whether the binary log of the database server is read, to see such writes at once */
  binaryLog: boolean;
}

/** @throws Error with one line for each variable that makes no sense */
export function readEnvironment(environment = process.env): Environment {
  const result = variables.safeParse(environment);
  if (!result.success) {
    throw new Error(
      result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  const { DATABASE_URL, PORT, PLACEMENT_DATA_DIRECTORY, ...foreignWrites } = result.data;
  return {
    databaseUrl: DATABASE_URL ?? null,
    port: PORT ?? 4000,
    dataDirectory: PLACEMENT_DATA_DIRECTORY ?? `${packageRoot}.data`,
    foreignWritesSeconds: foreignWrites.PLACEMENT_FOREIGN_WRITES_SECONDS ?? null,
    binaryLog: foreignWrites.PLACEMENT_BINARY_LOG === '1',
  };
}
