import {
  Kind,
  OverlappingFieldsCanBeMergedRule,
  type GraphQLError,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { requestError } from './errorCodes.js';

/** The maximum number of fragments that validation reads in order to compare them with others. */
const MOST = 10_000;

/**
 * The rule of graphql-js with a limit of the comparisons of fragments: it compares each pair in a selection set, with
 * those that they spread. A selection set with too many pairs is refused before they are compared.
 */
export const OverlappingFieldsRule: ValidationRule = (context) => {
  let count = 0;
  const limited = Object.create(context, {
    getFragment: {
      value(name: string) {
        if (++count > MOST) throw tooManyComparisons();
        return context.getFragment(name);
      },
    },
  }) as ValidationContext;
  const visitor = OverlappingFieldsCanBeMergedRule(limited) as {
    readonly SelectionSet: (set: SelectionSetNode) => void;
  };
  return {
    SelectionSet(set) {
      // the rule reads each fragment for its fields, and both fragments of each pair
      if (spreadsIn(set).size ** 2 > MOST) throw tooManyComparisons();
      visitor.SelectionSet(set);
    },
  };
};

/** Returns the names of the fragments that a selection set spreads, also in inline fragments. */
function spreadsIn({ selections }: SelectionSetNode, names = new Set<string>()): ReadonlySet<string> {
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) names.add(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT) spreadsIn(selection.selectionSet, names);
  }
  return names;
}

function tooManyComparisons(): GraphQLError {
  return requestError(
    'LIMIT_EXCEEDED',
    `Validation compares more than ${MOST} fragments of the document: spread fewer of them in one place.`,
  );
}
