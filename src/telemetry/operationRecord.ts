import type { DocumentNode } from 'graphql';
import { Activity } from '../runtime/observation/activity.js';
import type { Span, SpanAttributes } from '../runtime/observation/tracing.js';
import { documentFacts, hashOf, type DocumentFacts, type OperationFacts } from './document.js';

/** How long each part of an operation took (ms). Search and database are parts of `execute`, and may overlap. */
export interface Phases {
  readonly parse: number;
  readonly validate: number;
  readonly admission: number;
  readonly execute: number;
  readonly search: number;
  readonly database: number;
}

/** What is seen of one request from its arrival to the end of its answer. */
export class OperationRecord {
  readonly activity = new Activity();
  /** Null: the request has got to no operation that can run. */
  facts: OperationFacts | null = null;
  /** On whose behalf it runs, where that is known. */
  user: string | null = null;
  /** Of the answer. */
  status = 500;
  private readonly began = performance.now();
  /** When each phase began; 0: it has not. */
  private parsing = 0;
  private validating = 0;
  private preparing = 0;
  private executing = 0;
  private answered = 0;
  private document: DocumentFacts | null = null;
  private text: string | null = null;
  /** Of the phase that is under way. */
  private phase: Span | null = null;

  constructor(
    readonly requestId: string,
    /** Of the request as a whole. */
    readonly span: Span | null,
  ) {}

  /** The text of a document has come, and is to be parsed. */
  received(text: string): void {
    this.text = text;
    this.parsing = performance.now();
    this.enter('graphql.parse');
  }

  /** It is GraphQL, and is to be validated. */
  parsed(): void {
    this.validating = performance.now();
    this.enter('graphql.validate');
  }

  /** It is valid. */
  validated(): void {
    this.preparing = performance.now();
    this.leave();
  }

  /** An operation of it is to run. */
  execute(document: DocumentNode, operationName: string | null): void {
    this.document = documentFacts(document);
    this.facts = this.document.operation(operationName);
    this.executing = performance.now();
    this.enter('graphql.execute');
    this.activity.span = this.phase;
    if (this.phase !== null && this.facts !== null) this.phase.set(attributesOf(this.facts));
  }

  /** The answer, or its beginning where it is long, is ready to be sent. */
  answer(status: number): void {
    this.status = status;
    this.answered = performance.now();
    this.leave(status);
  }

  /** The answer has been sent. */
  end(): void {
    this.span?.set({ 'http.response.status_code': this.status });
    this.span?.end(failure(this.status));
  }

  /** So far (ms). */
  get elapsed(): number {
    return performance.now() - this.began;
  }

  /** Null: no document has come. */
  get documentHash(): string | null {
    return this.document?.hash ?? (this.text === null ? null : hashOf(this.text));
  }

  /** The text of a valid document without literals. */
  get documentText(): string | null {
    return this.document?.text ?? null;
  }

  get phases(): Phases {
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

/** 0 where it has not begun. */
function between(begin: number, end: number): number {
  return begin === 0 ? 0 : (end || performance.now()) - begin;
}

function failure(status: number): Error | undefined {
  return status < 500 ? undefined : new Error(`HTTP ${status}`);
}

function attributesOf({ kind, name }: OperationFacts): SpanAttributes {
  return { 'graphql.operation.type': kind, ...(name !== null && { 'graphql.operation.name': name }) };
}
