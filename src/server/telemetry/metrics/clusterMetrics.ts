import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** The time that a worker waits (ms): a little longer than the primary waits for each worker. */
const TIMEOUT_MS = 6_000;

const REQUEST = 'placement-graphql:metrics';

interface MetricsRequest {
  readonly type: typeof REQUEST;
  readonly id: number;
}

interface MetricsAnswer extends MetricsRequest {
  readonly text?: string;
  readonly error?: string;
}

const waiting = new Map<number, (answer: MetricsAnswer) => void>();
let requests = 0;

/**
 * Answers workers with the sums of the metrics of all workers. The primary calls it once.
 *
 * @public
 */
export function serveClusterMetrics(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isOurs(message)) return;
    const answer = (rest: Pick<MetricsAnswer, 'text' | 'error'>): void => {
      if (worker.isConnected())
        worker.send({ type: REQUEST, id: message.id, ...rest } satisfies MetricsAnswer);
    };
    aggregator.clusterMetrics().then(
      (text) => answer({ text }),
      (error: Error) => answer({ error: error.message }),
    );
  });
}

export function joinCluster(registry: Registry): void {
  if (!cluster.isWorker) return;
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry(); // listens to the primary
  process.on('message', (message) => {
    if (isOurs(message)) waiting.get(message.id)?.(message);
  });
}

/** Returns the metrics of all workers, or null if this process is no worker. */
export function clusterText(): Promise<string> | null {
  if (!cluster.isWorker) return null;
  const id = requests++;
  return new Promise<string>((resolve, reject) => {
    const give = ({ text, error }: MetricsAnswer): void => {
      clearTimeout(timer);
      waiting.delete(id);
      if (text === undefined) reject(new Error(`the figures of the workers could not be added up: ${error}`));
      else resolve(text);
    };
    const late = { type: REQUEST, id, error: 'no answer' } as const;
    const timer = setTimeout(() => give(late), TIMEOUT_MS);
    waiting.set(id, give);
    process.send!({ type: REQUEST, id } satisfies MetricsRequest);
  });
}

function isOurs(message: unknown): message is MetricsRequest {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === REQUEST;
}
