import { createHash } from 'node:crypto';
import { isatty } from 'node:tty';
import { openSync } from 'node:fs';
import {
  getOperationAST,
  Kind,
  print,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { pino, type DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { Activity, type Span, type SpanAttributes, type Log } from '../../model/observation.js';
import type { Report } from '../../model/operation/report.js';
import { loggedError } from './loggedError.js';

/** The properties of an operation of a valid document, without values of the client. */
export interface OperationFacts {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string | null;
  /** The selected fields of the root type, each once. */
  readonly fields: readonly string[];
}

const MAX_NAME_LENGTH = 100;

/** Enough hexadecimal digits to distinguish documents. */
const HASH_DIGITS = 16;

const MAX_TEXT_LENGTH = 4_000;

/** Caches a property of a document: clients repeat few documents. */
function cached<T>(compute: (document: DocumentNode) => T): (document: DocumentNode) => T {
  const known = new WeakMap<DocumentNode, T>();
  return (document) => {
    let value = known.get(document);
    if (value === undefined) known.set(document, (value = compute(document)));
    return value;
  };
}

const documentHash = cached(({ loc }) => hashOf(loc?.source.body ?? ''));
const documentText = cached(withoutLiterals);

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

const factsOf = new WeakMap<OperationDefinitionNode, OperationFacts>();

/** Returns null if the operation is ambiguous. */
function operationFacts(document: DocumentNode, operationName: string | null): OperationFacts | null {
  const found = getOperationAST(document, operationName);
  if (!found) return null;
  const { operation: kind, name, selectionSet } = found;
  let facts = factsOf.get(found);
  if (facts === undefined) {
    facts = {
      kind,
      name: name?.value.slice(0, MAX_NAME_LENGTH) ?? null,
      fields: selectedNames(selectionSet, document),
    };
    factsOf.set(found, facts);
  }
  return facts;
}

/** Returns the names of the fields of a selection set and of its fragments. Visits each fragment once. */
function selectedNames(set: SelectionSetNode, { definitions }: DocumentNode): string[] {
  const fragments = new Map<string, SelectionSetNode>();
  for (const each of definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each.selectionSet);
  const fields = new Set<string>();
  const sets = new Set([set]); // the loop also visits those that it adds
  for (const { selections } of sets) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sets.add(selection.selectionSet);
      else sets.add(fragments.get(selection.name.value) ?? set);
    }
  }
  return [...fields];
}

/** Returns a document in one line with empty strings, numbers 0 and one entry per list. */
function withoutLiterals(document: DocumentNode): string {
  const bare = visit(document, {
    IntValue: (node) => ({ ...node, value: '0' }),
    FloatValue: (node) => ({ ...node, value: '0' }),
    StringValue: (node) => ({ ...node, value: '', block: false }),
    ListValue: { leave: (node) => ({ ...node, values: node.values.slice(0, 1) }) },
  });
  const text = stripIgnoredCharacters(print(bare));
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** The observations of one request from its arrival to the end of its response. */
export class OperationRecord {
  readonly activity = new Activity();
  facts: OperationFacts | null = null;
  /** The user on whose behalf the operation runs. Null if the user is unknown. */
  user: string | null = null;
  /** The id that a REST client gives to all its requests for one task. Null if it gives none. */
  globalRequestId: string | null = null;
  status = 500;
  private readonly began = performance.now();
  /** When each phase began. 0: it has not begun. */
  private parsing = 0;
  private validating = 0;
  private preparing = 0;
  private executing = 0;
  private answered = 0;
  private document: DocumentNode | null = null;
  private text: string | null = null;
  private phase: Span | null = null;

  constructor(
    readonly requestId: string,
    readonly span: Span | null,
  ) {}

  received(text: string): void {
    this.text = text;
    this.parsing = performance.now();
    this.enter('graphql.parse');
  }

  parsed(): void {
    this.validating = performance.now();
    this.enter('graphql.validate');
  }

  validated(): void {
    this.preparing = performance.now();
    this.leave();
  }

  execute(document: DocumentNode, operationName: string | null): void {
    this.document = document;
    this.begin('graphql.execute', operationFacts(document, operationName), attributesOf);
  }

  /** Begins the work of a route of the REST API. */
  executeRoute(name: string, isWrite: boolean): void {
    const kind = isWrite ? 'mutation' : 'query';
    this.begin('rest.execute', { kind, name, fields: [name] }, () => ({ 'http.route': name }));
  }

  answer(status: number): void {
    this.status = status;
    this.answered = performance.now();
    this.leave(status);
  }

  end(): void {
    this.span?.set({ 'http.response.status_code': this.status });
    this.span?.end(failure(this.status));
  }

  get elapsed(): number {
    return performance.now() - this.began;
  }

  get documentHash(): string | null {
    if (this.document !== null) return documentHash(this.document);
    return this.text === null ? null : hashOf(this.text);
  }

  get documentText(): string | null {
    return this.document && documentText(this.document);
  }

  /** The duration of each part (ms). Search and database are parts of `execute`, and may overlap. */
  get phases() {
    const { admission, search, database } = this.activity;
    const { parsing, validating, preparing, executing, answered } = this;
    return {
      parse: between(parsing, validating),
      validate: between(validating, preparing),
      admission: admission.elapsed,
      execute: Math.max(0, between(executing, answered) - admission.elapsed),
      search: search.elapsed,
      database: database.elapsed,
    };
  }

  private begin(
    phase: string,
    facts: OperationFacts | null,
    attributes: (facts: OperationFacts) => SpanAttributes,
  ): void {
    this.facts = facts;
    this.executing = performance.now();
    this.enter(phase);
    this.activity.span = this.phase;
    if (this.phase !== null && facts !== null) this.phase.set(attributes(facts));
  }

  private enter(phase: string): void {
    if (this.span === null) return;
    this.leave();
    this.phase = this.span.begin(phase);
  }

  private leave(status = 200): void {
    this.phase?.end(failure(status));
    this.phase = null;
  }
}

/** Returns 0 if the phase has not begun. */
function between(begin: number, end: number): number {
  return begin === 0 ? 0 : (end || performance.now()) - begin;
}

function failure(status: number): Error | undefined {
  return status < 500 ? undefined : new Error(`HTTP ${status}`);
}

function attributesOf({ kind, name }: OperationFacts): SpanAttributes {
  return { 'graphql.operation.type': kind, ...(name !== null && { 'graphql.operation.name': name }) };
}

/** File descriptor 1: Node's stdout stream makes pipes non-blocking. */
const STDOUT = 1;

export const LOG_LEVELS = ['info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['json', 'text'] as const;

export interface LogSettings {
  readonly level: (typeof LOG_LEVELS)[number];
  /** Null means text on a terminal, otherwise JSON. */
  readonly format: (typeof LOG_FORMATS)[number] | null;
  /** Receives the number of bytes that were dropped because the reader was too slow. */
  readonly onDrop?: (bytes: number) => void;
}

export interface ProcessLog {
  readonly log: Log;
  /** Writes a line about the life of the process at once, at any level but silent: scripts wait for such lines. */
  readonly announce: (line: string) => void;
}

/** Returns a function that returns the time as pino writes it, and formats each second once. */
function timestamps(): () => string {
  let second = NaN;
  let start = '';
  return () => {
    const now = Date.now();
    const milliseconds = now % 1_000;
    if (now - milliseconds !== second) {
      second = now - milliseconds;
      start = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`;
    }
    return `${start}${String(milliseconds).padStart(3, '0')}Z"`;
  };
}

/** Creates the log on standard output: one JSON object per line, or text for people. */
export function createLog(
  { level, format, onDrop = () => undefined }: LogSettings,
  target: string | number = STDOUT,
): ProcessLog {
  const stream = new LogOutput(target, onDrop);
  const isTerminal = target === STDOUT && isatty(STDOUT);
  const isText = (format ?? (isTerminal ? 'text' : 'json')) === 'text';
  const output = isText ? asText(stream, isTerminal) : stream;
  const about = pino(
    {
      level: level === 'silent' ? level : 'info',
      base: { pid: process.pid },
      timestamp: timestamps(),
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  );
  const leveled = about.child({}, { level });
  return {
    log: {
      record: about.info.bind(about),
      info: leveled.info.bind(leveled),
      warn: leveled.warn.bind(leveled),
      error: leveled.error.bind(leveled),
      isLevelEnabled: (name) => leveled.isLevelEnabled(name),
    },
    announce(line) {
      about.info(line);
      stream.flush();
    },
  };
}

function asText(stream: DestinationStream, colorize: boolean): DestinationStream {
  const pretty = prettyFactory({ colorize, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line: string) => stream.write(pretty(line)) };
}

export function reportTo(log: Pick<Log, 'error'>): Report {
  return (error, during) => log.error({ error: loggedError(error) }, during);
}

/** The output passes lines on after this many characters or milliseconds. */
const BUFFER_LENGTH = 32_768;
const MAX_BUFFERED_MS = 100;

/** If the reader is too slow, further lines are dropped: memory must not grow. */
const MAX_WAITING_BYTES = 16_777_216;

const outputs = new Set<LogOutput>();
process.once('exit', () => {
  for (const output of outputs) output.writeRest();
});

/**
 * Writes lines outside of the event loop, and the rest when the process ends. It collects lines, because pino's own
 * destination costs ten times as much per line as everything else.
 */
class LogOutput implements DestinationStream {
  private readonly stream;
  private pending = '';
  private timer: NodeJS.Timeout | null = null;

  constructor(target: string | number, onDrop: (bytes: number) => void) {
    const dest = typeof target === 'string' ? openSync(target, 'a') : target;
    this.stream = pino.destination({ dest, sync: false, maxLength: MAX_WAITING_BYTES });
    this.stream.on('drop', (text: string) => onDrop(Buffer.byteLength(text)));
    outputs.add(this);
  }

  write(line: string): void {
    this.pending += line;
    if (this.pending.length >= BUFFER_LENGTH) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), MAX_BUFFERED_MS).unref();
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.pending !== '') this.stream.write(this.pending);
    this.pending = '';
  }

  writeRest(): void {
    this.flush();
    this.stream.flushSync();
  }
}
