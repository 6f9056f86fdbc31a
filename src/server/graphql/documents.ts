import { specifiedRules, type GraphQLSchema, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Operation } from '../../model/operation/operation.js';
import { DocumentCache, type ReadDocument } from './documentCache.js';
import { refusalError } from './errorCodes.js';
import { OverlappingFieldsRule } from './fragmentComparisons.js';
import { parsed } from './limits.js';
import type { Received } from './receivedBody.js';
import { validation } from './validation.js';
import { withPaths } from './valuePaths.js';

/** How long the server reads a document before it yields to other work (ms). */
const SLICE_MS = 3;

/** The rules of a valid document, with a limit of the comparisons of fragments. */
const RULES = specifiedRules.map((rule) =>
  rule.name === 'OverlappingFieldsCanBeMergedRule' ? OverlappingFieldsRule : rule,
);

type Outcome = ReadDocument | { readonly failure: unknown };

/**
 * Parses and validates documents in time slices before Yoga does it in one: a document of the maximum size takes a
 * tenth of a second.
 */
export function useDocuments(
  schema: GraphQLSchema,
  furtherRules: readonly ValidationRule[],
): Plugin<Received, Received> {
  const cache = new DocumentCache();
  const rules = [...RULES, ...furtherRules];
  const outcomes = new WeakMap<Operation, Outcome>();

  function* reading(text: string, { record }: Received): Generator<void, ReadDocument> {
    const document = yield* parsed(text);
    record?.parsed();
    yield;
    const errors = yield* validation(schema, document, rules);
    yield;
    const read = { document, errors: withPaths(document, errors) };
    cache.add(text, read);
    return read;
  }

  return {
    onParams({ params: { query }, context }) {
      if (typeof query !== 'string') return undefined; // Yoga rejects the request
      const { operation, record } = context;
      record?.received(query);
      const known = cache.find(query);
      if (known !== null) {
        record?.parsed();
        outcomes.set(operation, known);
        return undefined;
      }
      const parts = reading(query, context);
      const waiting = operation.read(() => {
        const outcome = slice(parts);
        if (outcome !== null) outcomes.set(operation, outcome);
        return outcome !== null;
      });
      return waiting?.catch((error: unknown) => Promise.reject(refusalError(error)));
    },
    onParse({ context: { operation }, setParseFn }) {
      setParseFn(() => {
        const outcome = outcomes.get(operation)!;
        if ('failure' in outcome) throw outcome.failure;
        return outcome.document;
      });
    },
    onValidate({ context: { operation }, setResult }) {
      setResult((outcomes.get(operation) as ReadDocument).errors);
    },
  };
}

/** Reads a document for one time slice. Returns null if it is not read completely. */
function slice(parts: Generator<void, ReadDocument>): Outcome | null {
  const began = performance.now();
  try {
    do {
      const part = parts.next();
      if (part.done) return part.value;
    } while (performance.now() - began < SLICE_MS);
    return null;
  } catch (failure) {
    return { failure };
  }
}
