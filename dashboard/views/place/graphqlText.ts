import type { AllocationCandidatesInput } from '../../generated/place/operations';

/** A query for candidates of a request, as text to be run elsewhere. */
export function graphqlText(request: AllocationCandidatesInput, limit: number): string {
  return `{
  allocationCandidates(
    limit: ${limit}
    request: ${literal(request, 2)}
  ) {
    complete
    allocationRequests {
      allocations {
        resourceProvider {
          name
          uuid
        }
        resources {
          resourceClass {
            name
          }
          amount
        }
      }
      mappings {
        suffix
        resourceProviders {
          name
        }
      }
    }
  }
}`;
}

/** The fields whose values are of an enum, which has no quotes. */
const ENUM_FIELDS = ['groupPolicy', 'strategy'];

/** A value as GraphQL writes it; what is nested over lines, at a depth of indentation. */
function literal(value: unknown, depth: number, field = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const indent = '  '.repeat(depth + 1);
    const fields = Object.entries(value).map(
      ([name, inner]) => `${indent}${name}: ${literal(inner, depth + 1, name)}`,
    );
    return `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`;
  }
  return ENUM_FIELDS.includes(field) ? String(value) : JSON.stringify(value);
}
