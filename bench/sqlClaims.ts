import { randomUUID } from 'node:crypto';
import type { PoolConnection } from 'mariadb';
import type { Database } from '../src/store/database/database.js';
import { kindSet, RecordedChanges } from '../src/model/recordedChanges.js';
import { FeedWriter } from '../src/store/feed/writer.js';
import { reportToConsole } from '../src/model/operation/report.js';
import type { Bench } from './bench.js';
import { timed, type Load } from './measure.js';

interface Names {
  readonly cpu: number;
  readonly memory: number;
  readonly project: number;
  readonly user: number;
  readonly type: number;
}

interface Row {
  readonly id: number;
  readonly generation: number;
}

/**
 * The minimum database work of a correct claim, with every name known beforehand: one read to
 * validate it, the compare-and-set of the provider, the rows, one row of the change feed, and a
 * durable commit.
 */
export class SqlClaims {
  private readonly consumers: string[] = [];
  private next = 0;

  private constructor(
    private readonly bench: Bench,
    private readonly database: Database,
    private readonly feed: FeedWriter,
    private readonly names: Names,
    private readonly connections: readonly PoolConnection[],
  ) {}

  static async open(bench: Bench, connections: number): Promise<SqlClaims> {
    const database = bench.database.open(connections + 1);
    const feed = new FeedWriter(database, reportToConsole);
    await feed.ready();
    const [names] = await database.pool.query<Names[]>(
      `SELECT (SELECT id FROM resource_classes WHERE name = 'VCPU') AS cpu,
              (SELECT id FROM resource_classes WHERE name = 'MEMORY_MB') AS memory,
              (SELECT id FROM projects WHERE external_id = 'project-01') AS project,
              (SELECT id FROM users WHERE external_id = 'user-01') AS user,
              (SELECT id FROM consumer_types WHERE name = 'INSTANCE') AS type`,
    );
    const held = await Promise.all(Array.from({ length: connections }, () => database.pool.getConnection()));
    return new SqlClaims(bench, database, feed, names, held);
  }

  /** After each slice `release` receives the consumers with claims. */
  load(release: (consumers: string[]) => Promise<void>): Load {
    return {
      clients: this.connections.map((connection) => timed(() => this.claim(connection))),
      cleanUp: () => release(this.consumers),
    };
  }

  private async claim(connection: PoolConnection): Promise<void> {
    const { nodes } = this.bench.targets;
    const { cpu, memory, project, user, type } = this.names;
    const consumer = randomUUID();
    await connection.beginTransaction();
    const [{ id, generation }] = await connection.query<Row[]>(
      `SELECT p.id, p.generation, i.resource_class_id, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
              i.allocation_ratio, (SELECT SUM(used) FROM allocations a WHERE a.resource_provider_id = p.id
                                     AND a.resource_class_id = i.resource_class_id) AS used,
              (SELECT generation FROM consumers WHERE uuid = ?) AS consumerGeneration
         FROM resource_providers p JOIN inventories i ON i.resource_provider_id = p.id
        WHERE p.uuid = ? AND i.resource_class_id IN (?)`,
      [consumer, nodes[this.next++ % nodes.length], [cpu, memory]],
    );
    await connection.query(
      'UPDATE resource_providers SET generation = generation + 1, updated_at = UTC_TIMESTAMP() WHERE id = ? AND generation = ?',
      [id, generation],
    );
    await connection.query(
      `INSERT INTO consumers (uuid, project_id, user_id, consumer_type_id, generation, created_at)
       VALUES (?, ?, ?, ?, 1, UTC_TIMESTAMP())`,
      [consumer, project, user, type],
    );
    await connection.query(
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at)
       VALUES (?, ?, ?, 1, UTC_TIMESTAMP()), (?, ?, ?, 256, UTC_TIMESTAMP())`,
      [consumer, id, cpu, consumer, id, memory],
    );
    const recorded = new RecordedChanges();
    recorded.addProviders([id], kindSet('USAGE'));
    recorded.newConsumers.add(consumer);
    const sequence = await this.feed.write(connection, recorded);
    await connection.commit();
    this.feed.complete(sequence);
    this.consumers.push(consumer);
  }

  async close(): Promise<void> {
    for (const connection of this.connections) await connection.release();
    this.feed.stop();
    await this.database.close();
  }
}
