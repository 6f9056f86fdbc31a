import type { DocumentNode } from 'graphql';
import { Activity } from '../../model/observation/activity.js';
import type { Span, SpanAttributes } from '../../model/observation/tracing.js';
import { documentHash, documentText, hashOf, operationFacts, type OperationFacts } from './document.js';

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
