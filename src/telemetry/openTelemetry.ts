import {
  defaultTextMapGetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import {
  STATEMENT_SPAN,
  STATEMENT_TEXT,
  type Span,
  type SpanAttributes,
  type Tracing,
} from '../runtime/observation/tracing.js';
import { withoutLiterals } from './loggedError.js';

const NAME = 'placement-graphql';

const nothing = (): void => undefined;
const SILENT = { info: nothing, debug: nothing, verbose: nothing };

interface Wanted {
  readonly exporter: string;
  readonly protocol: string;
}

/**
 * Records traces with the SDK of OpenTelemetry, which reads sampler, limits, batches and endpoint from the environment.
 * Each span gets its parent explicitly: tracking asynchronous calls would slow each of them down.
 */
export async function createTracing(wanted: Wanted, warn: (problem: string) => void): Promise<Tracing> {
  diag.setLogger({ ...SILENT, error: warn, warn }, DiagLogLevel.WARN);
  const named = resourceFromAttributes({ 'service.name': NAME });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(wanted))],
  });
  const tracer = provider.getTracer(NAME);
  const propagator = new W3CTraceContextPropagator();
  return {
    request(headers) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const attributes = { 'http.request.method': 'POST', 'url.path': '/graphql' };
      const span = tracer.startSpan('POST /graphql', { kind: SpanKind.SERVER, attributes }, parent);
      return span.isRecording() ? new TracedSpan(tracer, span, parent) : null;
    },
    close: () => provider.shutdown(),
  };
}

async function exporterOf({ exporter, protocol }: Wanted): Promise<SpanExporter> {
  if (exporter === 'console') return new ConsoleSpanExporter();
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter();
}

class TracedSpan implements Span {
  private readonly context: Context;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: OtelSpan,
    parent: Context,
  ) {
    this.context = trace.setSpan(parent, span);
  }

  begin(name: string, attributes: SpanAttributes = {}): Span {
    const isStatement = name === STATEMENT_SPAN;
    const options = isStatement
      ? { kind: SpanKind.CLIENT, attributes: statementAttributes(String(attributes[STATEMENT_TEXT])) }
      : { attributes };
    const shown = isStatement ? String(options.attributes['db.operation.name']) : name;
    return new TracedSpan(this.tracer, this.tracer.startSpan(shown, options, this.context), this.context);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  /** Records only the type of an error: its message may contain values. */
  end(error?: unknown): void {
    if (error !== undefined) {
      this.span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

function statementAttributes(text: string): SpanAttributes {
  const [operation] = text.trimStart().split(/\s/, 1);
  return {
    'db.system.name': 'mysql',
    'db.operation.name': operation,
    [STATEMENT_TEXT]: withoutLiterals(text),
  };
}
