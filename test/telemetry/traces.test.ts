import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import type { Tracing } from '../../src/model/observation.js';
import { startTracing } from '../../src/server/telemetry/tracing.js';
import { useObservedServer } from './server.js';

const SECRET = 'Tr0ub4dor&3';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector that receives OTLP in JSON. */
let collector: Server;
const bodies: string[] = [];
let tracing: Tracing | null;
const warnings: string[] = [];

const { server } = useObservedServer(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  // the SDK reads the variables of its process
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json';
  process.env.OTEL_SERVICE_NAME = 'placement-test';
  tracing = await startTracing((problem) => warnings.push(problem));
  return { tracing };
});
afterAll(() => void collector.close());

test('the spans of a request are below that of its caller, each below what it is part of, without values', async () => {
  const document = `mutation Make { createResourceProvider(input: { name: "${SECRET}" }) { __typename } }`;
  await server.ask(document, {}, { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'traced' });
  await server.lineOf('traced');
  await tracing!.close();
  const text = bodies.join('\n');
  expect(text).not.toContain(SECRET);
  expect(text).toContain('placement-test');
  const spans = bodies.flatMap((body) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }).resourceSpans.flatMap(
      ({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const named = (name: string): Sent => spans.find((span) => span.name === name)!;
  const request = named('POST /graphql');
  expect(request.parentSpanId).toBe(PARENT);
  for (const phase of ['graphql.parse', 'graphql.validate', 'graphql.execute'])
    expect(named(phase).parentSpanId).toBe(request.spanId);
  const transaction = named('transaction');
  expect(transaction.parentSpanId).toBe(named('graphql.execute').spanId);
  expect(named('INSERT').parentSpanId).toBe(transaction.spanId);
  expect(named('COMMIT').parentSpanId).toBe(transaction.spanId);
  const statement = named('INSERT').attributes.find(({ key }) => key === 'db.query.text');
  expect(statement?.value.stringValue).toMatch(/^INSERT INTO \w+ .*\?/s);
  expect(warnings).toEqual([]);
});

test('without the variables nothing is kept, and what is not supported is refused', async () => {
  const start = (environment: Record<string, string>) => startTracing(() => undefined, environment);
  expect(await start({})).toBeNull();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  expect(await start({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  expect(await start({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  await expect(start({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).rejects.toThrow('http/json');
  await expect(start({ OTEL_TRACES_EXPORTER: 'zipkin' })).rejects.toThrow('OTEL_TRACES_EXPORTER');
});
