// The JSON schemas of the files that the command line reads, made from the inputs of schema.graphql.
import {
  buildSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  parseType,
  typeFromAST,
} from 'graphql';

/** The type of each file, or the types of its fields, which may have fields. */
const FILES = {
  request: { type: 'AllocationCandidatesInput', about: 'A request: candidates --request FILE' },
  drain: { type: '[DrainRequestInput!]', about: 'The requests of consumers: drain HOST --requests FILE' },
  'drain-plan': {
    fields: {
      request: {
        from: 'TreesInput!',
        requests: '[DrainRequestInput!]!',
        keepTraits: 'Boolean!',
        keepAggregates: 'Boolean!',
      },
      moves: '[ConsumerAllocationsInput!]!',
    },
    about: 'Moves to execute: drain --plan FILE',
  },
  'rebalance-plan': {
    fields: { request: 'RebalanceInput!', moves: '[ConsumerAllocationsInput!]!' },
    about: 'Moves to execute: rebalance --plan FILE',
  },
  reshape: { type: 'ReshapeInput', about: 'Inventories and allocations: reshape -f FILE' },
  workload: { type: 'ClaimInput', about: 'Members that are placed together: workload claim FILE' },
  tree: { type: 'ApplyProviderTreeInput', about: 'The desired state of a tree: tree apply -f FILE' },
};

const SCALARS = {
  Boolean: { type: 'boolean' },
  Float: { type: 'number' },
  ID: { type: 'string' },
  Int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  String: { type: 'string' },
  UUID: { type: 'string', format: 'uuid' },
  DateTime: { type: 'string', format: 'date-time' },
};

const SIZE = { type: 'string', pattern: '^\\d+(\\.\\d+)?[KMGTP](iB?)?$' };

const AMOUNT = {
  description: 'An amount, or a size such as 4G in the unit of the resource class.',
  anyOf: [{ type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 }, SIZE],
};

/** Short forms of definitions, which files may use in place of the form of the API. */
const SHORT_FORMS = {
  ProviderRef: () => ({ type: 'string', description: 'Its name or its uuid.' }),
  AggregateRef: () => ({ type: 'string', description: 'Its name or its uuid.' }),
  ResourceAmounts: () => ({
    type: 'object',
    description: 'The amounts by resource class.',
    additionalProperties: AMOUNT,
  }),
  ClaimConsumers: ({ properties: { projectId, userId, type, expiresAt } }) => ({
    type: 'object',
    description: 'A number of new consumers, whose uuids are generated.',
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
      projectId,
      userId,
      type,
      expiresAt,
    },
    required: ['projectId', 'userId'],
    additionalProperties: false,
  }),
  Inventories: ({ properties, ...inventory }) => {
    const others = { ...properties };
    delete others.resourceClass;
    const whole = { ...inventory, properties: others, required: ['total'] };
    return {
      type: 'object',
      description: 'The total, or the whole inventory, by resource class.',
      additionalProperties: { anyOf: [AMOUNT, whole] },
    };
  },
};

/** The inputs whose whole numbers may be sizes in the unit of their resource class. */
const WITH_SIZES = new Set(['InventoryInput', 'ResourceAmountInput']);

/** Lists that have a definition of their own because they have a short form. */
const NAMED_LISTS = {
  ResourceAmountInput: 'ResourceAmounts',
  InventoryInput: 'Inventories',
  ClaimConsumerInput: 'ClaimConsumers',
};

/** Returns the text of each schema by the name of its file. */
export function fileSchemas(sdl) {
  const schema = buildSchema(sdl);
  return Object.entries(FILES).map(([name, { type, fields, about }]) => {
    const definitions = {};
    const read = (text) => schemaOf(typeFromAST(schema, parseType(text)), definitions);
    const root = type === undefined ? fileOf(fields, read) : read(type);
    const $defs = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    return {
      name: `${name}.json`,
      text: `${JSON.stringify({ $schema, title: about, ...root, $defs }, null, 2)}\n`,
    };
  });
}

/** Returns the schema of a file, or of a part of it, with several inputs, all of them required. */
function fileOf(fields, read) {
  const properties = Object.entries(fields).map(([name, type]) => [
    name,
    typeof type === 'string' ? read(type) : fileOf(type, read),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields),
    additionalProperties: false,
  };
}

function schemaOf(given, definitions) {
  const type = getNullableType(given);
  if (isListType(type)) {
    const name = NAMED_LISTS[getNullableType(type.ofType).name];
    const whole = { type: 'array', items: schemaOf(type.ofType, definitions) };
    return name === undefined ? whole : define(name, definitions, () => whole);
  }
  if (isInputObjectType(type)) return define(type.name, definitions, () => objectOf(type, definitions));
  return isEnumType(type) ? { enum: type.getValues().map(({ name }) => name) } : SCALARS[type.name];
}

/** Adds a definition, with its short form if it has one. */
function define(name, definitions, make) {
  if (!(name in definitions)) {
    definitions[name] = {}; // a type may contain itself
    const whole = make();
    const inner = definitions[whole.items?.$ref?.replace('#/$defs/', '')];
    definitions[name] = name in SHORT_FORMS ? { anyOf: [whole, SHORT_FORMS[name](inner ?? whole)] } : whole;
  }
  return { $ref: `#/$defs/${name}` };
}

function objectOf(type, definitions) {
  // a file has no dry run: that is an option of the command
  const fields = Object.values(type.getFields()).filter(({ name }) => name !== 'dryRun');
  const properties = fields.map(({ name, description, type: inner, defaultValue }) => {
    const standard = defaultValue === undefined ? {} : { default: defaultValue };
    const given = schemaOf(inner, definitions);
    const value = given.type === 'integer' && WITH_SIZES.has(type.name) ? { anyOf: [given, SIZE] } : given;
    return [name, { description: description ?? undefined, ...value, ...standard }];
  });
  return {
    type: 'object',
    description: type.description ?? undefined,
    properties: Object.fromEntries(properties),
    ...(type.isOneOf
      ? { minProperties: 1, maxProperties: 1 }
      : { required: fields.filter(isRequiredInputField).map(({ name }) => name) }),
    additionalProperties: false,
  };
}
