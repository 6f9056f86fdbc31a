import { GraphQLError, GraphQLScalarType, Kind, print, type ValueNode } from 'graphql';
import { GraphQLDateTime, GraphQLSafeInt } from 'graphql-scalars';
import { isConsumerKey, normalizeUuid } from '../model/uuid.js';
import { builder } from './builder.js';

/** The maximum length of a value in an error message (characters). */
const SHOWN = 60;

/** @param nodes the place of an inline value, for the error */
function parseUuid(value: unknown, nodes?: ValueNode): string {
  const uuid = typeof value === 'string' ? normalizeUuid(value) : undefined;
  if (uuid !== undefined) return uuid;
  // a consumer that OpenStack Placement stores under such a key must be readable and removable
  if (typeof value === 'string' && isConsumerKey(value)) return value;
  const shown = JSON.stringify(value)?.slice(0, SHOWN) ?? String(value);
  throw new GraphQLError(
    `${shown} is no UUID: 32 hexadecimal digits, such as 0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b11`,
    { nodes },
  );
}

function parseUuidLiteral(node: ValueNode): string {
  if (node.kind === Kind.STRING) return parseUuid(node.value, node);
  throw new GraphQLError(`${print(node).slice(0, SHOWN)} is no UUID: it must be a string`, { nodes: node });
}

builder.addScalarType(
  'UUID',
  new GraphQLScalarType<string, string>({
    name: 'UUID',
    description:
      'A UUID, in lower case with dashes. Input may be upper case, without dashes, in braces or a ' +
      '`urn:uuid:`. Some consumers of other programs have a key of 36 hexadecimal digits and dashes instead.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
    serialize: String,
    parseValue: (value) => parseUuid(value),
    parseLiteral: parseUuidLiteral,
  }),
);

builder.addScalarType(
  'DateTime',
  new GraphQLScalarType({
    ...GraphQLDateTime.toConfig(),
    description: 'A moment in UTC, such as `2026-03-01T12:30:00.000Z`. A string for clients.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  }),
);

builder.addScalarType(
  'SafeInt',
  new GraphQLScalarType({
    ...GraphQLSafeInt.toConfig(),
    description: 'An integer as a JSON number. Larger ones are reported as 2^53-1 (9007199254740991).',
  }),
);
