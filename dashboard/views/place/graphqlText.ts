import type { AllocationCandidatesInput } from '../../generated/place/operations';

/** Returns the text of a query for the candidates of a request, to be run elsewhere. */
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

/** The fields of an enum type. Their values have no quotes. */
const ENUM_FIELDS = ['groupPolicy', 'strategy'];

/** Writes a GraphQL literal. A nested object spans several lines, indented by `depth`. */
function literal(value: unknown, depth: number, field = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const indent = '  '.repeat(depth + 1);
    const fields = Object.entries(value).map(
      ([name, inner]) => `${indent}${name}: ${literal(inner, depth + 1, name)}`,
    );
    if (fields.length === 0) return '{}';
    return `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`;
  }
  return ENUM_FIELDS.includes(field) ? String(value) : JSON.stringify(value);
}
