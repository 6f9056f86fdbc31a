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
} from '../../model/observation.js';
import { sqlWithoutLiterals } from './loggedError.js';

const NAME = 'placement-graphql';

export interface WantedTracing {
  readonly exporter: string;
  readonly protocol: string;
}

/**
 * Records traces with the SDK of OpenTelemetry, which reads sampler, limits, batches and endpoint from the environment.
 * Each span gets its parent explicitly: tracking asynchronous calls would slow each of them down.
 */
export async function createTracing(
  wanted: WantedTracing,
  warn: (problem: string) => void,
): Promise<Tracing> {
  diag.setLogger({ error: warn, warn, info: warn, debug: warn, verbose: warn }, DiagLogLevel.WARN);
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

async function exporterOf({ exporter, protocol }: WantedTracing): Promise<SpanExporter> {
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
    const { tracer, context } = this;
    const span =
      name === STATEMENT_SPAN
        ? startStatement(tracer, String(attributes[STATEMENT_TEXT]), context)
        : tracer.startSpan(name, { attributes }, context);
    return new TracedSpan(tracer, span, context);
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

function startStatement(tracer: Tracer, text: string, context: Context): OtelSpan {
  const [operation] = text.trimStart().split(/\s/, 1);
  const attributes = {
    'db.system.name': 'mysql',
    'db.operation.name': operation,
    [STATEMENT_TEXT]: sqlWithoutLiterals(text),
  };
  return tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes }, context);
}
