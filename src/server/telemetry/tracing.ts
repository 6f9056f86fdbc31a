import type { Tracing } from '../../model/observation.js';
import type { WantedTracing } from './openTelemetry.js';

type Environment = Readonly<Record<string, string | undefined>>;

const EXPORTERS = ['otlp', 'console'];
const PROTOCOLS = ['http/protobuf', 'http/json'];

/** Reads the standard variables of OpenTelemetry. Null means no traces. @throws Error for unsupported values */
function tracingWanted(environment: Environment): WantedTracing | null {
  const given = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const endpoint = given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? given('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporter = given('OTEL_TRACES_EXPORTER') ?? (endpoint === undefined ? 'none' : 'otlp');
  if (exporter === 'none' || given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  const protocol =
    given('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? given('OTEL_EXPORTER_OTLP_PROTOCOL') ?? PROTOCOLS[0];
  if (!EXPORTERS.includes(exporter))
    throw new Error(`OTEL_TRACES_EXPORTER: must be one of ${EXPORTERS.join(', ')}, none, not "${exporter}"`);
  if (exporter === 'otlp' && !PROTOCOLS.includes(protocol))
    throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL: must be one of ${PROTOCOLS.join(', ')}, not "${protocol}"`);
  return { exporter, protocol };
}

/**
 * Starts OpenTelemetry if the environment enables it.
 *
 * @param warn receives the reasons why traces could not be sent
 * @throws Error for unsupported values in the environment
 */
export async function startTracing(
  warn: (problem: string) => void,
  environment: Environment = process.env,
): Promise<Tracing | null> {
  const wanted = tracingWanted(environment);
  if (wanted === null) return null;
  const { createTracing } = await import('./openTelemetry.js');
  return createTracing(wanted, warn);
}
