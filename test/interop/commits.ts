import type { TestDatabase } from '../support/database.js';

const STATEMENTS = [
  `CREATE TABLE test_steps (seq bigint AUTO_INCREMENT PRIMARY KEY, connection bigint NOT NULL, provider int NOT NULL,
     generation int NULL, allocation int NULL)`,
  `CREATE TRIGGER test_generation AFTER UPDATE ON resource_providers FOR EACH ROW
     INSERT INTO test_steps (connection, provider, generation) VALUES (CONNECTION_ID(), NEW.id, NEW.generation)`,
  `CREATE TRIGGER test_allocation AFTER INSERT ON allocations FOR EACH ROW
     INSERT INTO test_steps (connection, provider, allocation)
     VALUES (CONNECTION_ID(), NEW.resource_provider_id, NEW.id)`,
];

/** One row of the record: an increment of the provider's generation, or an allocation that is still there. */
interface Step {
  readonly connection: bigint;
  readonly generation: number | null;
  readonly consumer: string | null;
  readonly used: number | null;
}

/**
 * Records the order in which claims are committed, by triggers in the same transactions. Both programs increment a provider's
 * generation with each claim, so the generations are the order of the commits.
 */
export class Commits {
  private constructor(private readonly database: TestDatabase) {}

  static async record(database: TestDatabase): Promise<Commits> {
    for (const statement of STATEMENTS) await database.pool.query(statement);
    return new Commits(database);
  }

  /** Returns the number of providers over capacity, by the program whose commit exceeded it first. */
  async exceeded(
    uuids: readonly string[],
    total: number,
    ours: ReadonlySet<string>,
  ): Promise<{ ours: number; theirs: number }> {
    const found = { ours: 0, theirs: 0 };
    for (const uuid of uuids) {
      let used = 0;
      const inOrder = (await this.claims(uuid, ours)).sort((a, b) => a.generation - b.generation);
      const first = inOrder.find((claim) => (used += claim.used) > total);
      if (first) found[ours.has(first.consumer) ? 'ours' : 'theirs']++;
    }
    return found;
  }

  /** Returns each claim with the generation of the provider after its transaction. */
  private async claims(
    uuid: string,
    ours: ReadonlySet<string>,
  ): Promise<{ generation: number; consumer: string; used: number }[]> {
    const steps = await this.database.pool.query<Step[]>(
      `SELECT s.connection, s.generation, a.consumer_id AS consumer, a.used
        FROM test_steps s JOIN resource_providers p ON p.id = s.provider LEFT JOIN allocations a ON a.id = s.allocation
        WHERE p.uuid = ? AND (s.generation IS NOT NULL OR a.id IS NOT NULL) ORDER BY s.connection, s.seq`,
      [uuid],
    );
    return steps.flatMap(({ connection, consumer, used }, at) => {
      if (consumer === null || used === null) return [];
      // This server increments the generation before it inserts, the reference after.
      const near = ours.has(consumer) ? steps.slice(0, at).reverse() : steps.slice(at);
      const increment = near.find((step) => step.connection === connection && step.generation !== null);
      if (increment?.generation == null) throw new Error(`a claim by ${consumer} without an increment`);
      return [{ generation: increment.generation, consumer, used }];
    });
  }
}
