import {
  GraphQLError,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  type validate,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { requestError } from './errorCodes.js';

/** The maximum number of fragments that validation reads in order to compare them with others. */
const MOST = 10_000;

/** Limits the comparisons of fragments: validation compares each pair in a selection set, with those that they spread. */
export const fragmentComparisons: Plugin = {
  onValidate({ validateFn, setValidationFn }) {
    const validateAll = validateFn as typeof validate;
    const limited: typeof validate = (schema, document, rules = specifiedRules, ...rest) => {
      try {
        return validateAll(schema, document, rules.map(limitedRule), ...rest);
      } catch (error) {
        if (error instanceof GraphQLError) return [error];
        throw error;
      }
    };
    setValidationFn(limited);
  },
};

function limitedRule(rule: ValidationRule): ValidationRule {
  if (rule !== OverlappingFieldsCanBeMergedRule) return rule;
  return (context) => {
    let count = 0;
    const limited = Object.create(context, {
      getFragment: {
        value(name: string) {
          if (++count > MOST)
            throw requestError(
              'LIMIT_EXCEEDED',
              `Validation compares more than ${MOST} fragments of the document: spread fewer of them in one place.`,
            );
          return context.getFragment(name);
        },
      },
    }) as ValidationContext;
    return rule(limited);
  };
}
