import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isListType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
} from 'graphql';
import type { Role } from '../../src/model/viewer.js';
import {
  type Access,
  accessBy,
  type ArgumentRule,
  NODES_OF_PROJECTS,
  ruleOf,
  type Scopes,
  scopesOf,
} from '../../src/api/access/rules.js';

/** The viewers that the table tells apart. */
export const VIEWERS = ['admin', 'service', 'reader', 'reader of a project'] as const;
export type ViewerKind = (typeof VIEWERS)[number];

export type AccessRow = Readonly<Record<ViewerKind, Access>>;

/** Maps each field and argument, such as `Query.consumers(filter.projectId)`, to the rule of its access. */
export function accessOf(schema: GraphQLSchema): ReadonlyMap<string, AccessRow> {
  const reached = new Map(VIEWERS.map((viewer) => [viewer, typesReached(schema, viewer)]));
  const rows = new Map<string, AccessRow>();
  const add = (key: string, access: (viewer: ViewerKind) => Access): void => {
    rows.set(key, Object.fromEntries(VIEWERS.map((viewer) => [viewer, access(viewer)])) as AccessRow);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const ofField = (viewer: ViewerKind): Access =>
        reached.get(viewer)!.has(type.name) ? accessBy(ruleOf(field), SCOPES[viewer]) : 'no';
      add(`${type.name}.${field.name}`, ofField);
      for (const path of argumentPaths(field))
        add(`${type.name}.${field.name}(${path})`, (viewer) =>
          argumentAccess(field, path, viewer, ofField(viewer)),
        );
    }
  }
  return rows;
}

/** Every argument of a field, and every field of an input object in it that is no list, by its path. */
export function argumentPaths({ args }: GraphQLField<unknown, unknown>): string[] {
  const pathsOf = (
    input: GraphQLArgument | GraphQLInputField,
    prefix: string,
    within: readonly string[],
  ): string[] => {
    const path = `${prefix}${input.name}`;
    const type = getNamedType(input.type);
    const isList = isListType(getNullableType(input.type));
    if (!isInputObjectType(type) || isList || within.includes(type.name)) return [path];
    const fields = Object.values(type.getFields());
    return [path, ...fields.flatMap((field) => pathsOf(field, `${path}.`, [...within, type.name]))];
  };
  return args.flatMap((argument) => pathsOf(argument, '', []));
}

/** The names of the types whose objects a viewer can get at. */
export function typesReached(schema: GraphQLSchema, viewer: ViewerKind): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (reached.has(type.name)) continue;
    reached.add(type.name);
    for (const field of Object.values(type.getFields())) {
      if (accessBy(ruleOf(field), SCOPES[viewer]) === 'no') continue;
      const target = getNamedType(field.type);
      const limited = target.name === 'Node' && viewer === 'reader of a project';
      if (isObjectType(target)) open.push(target);
      else if (isAbstractType(target))
        open.push(
          ...schema.getPossibleTypes(target).filter(({ name }) => !limited || NODES_OF_PROJECTS.has(name)),
        );
    }
  }
  return reached;
}

function argumentAccess(
  field: GraphQLField<unknown, unknown>,
  path: string,
  viewer: ViewerKind,
  ofField: Access,
): Access {
  const rule = ruleOf(field);
  if (ofField === 'no' || typeof rule !== 'function') return ofField;
  if ('argumentOfServices' in rule)
    return path.startsWith(rule.argumentOfServices) && !SCOPES[viewer].service ? 'no' : ofField;
  if ('argumentOfWriters' in rule)
    return path.startsWith(rule.argumentOfWriters) && !SCOPES[viewer].writer ? 'no' : ofField;
  if (viewer !== 'reader of a project' || !('argumentRules' in rule)) return ofField;
  const rules = Object.entries(rule.argumentRules).filter(
    ([each]) => each === path || each.startsWith(`${path}.`),
  );
  const found = rules.map(([, each]) => ACCESS_BY_ARGUMENT[each]);
  return found.includes('yes') ? 'yes' : (found[0] ?? 'no');
}

const ACCESS_BY_ARGUMENT: Readonly<Record<ArgumentRule, Access>> = {
  FREE: 'yes',
  OWN_PROJECT: 'own',
  NONE: 'no',
};

const scopesOfRole = (role: Role, projectId: string | null = null): Scopes =>
  scopesOf({ userId: '', roles: new Set([role]), projectId, expiresAt: null });

const SCOPES: Readonly<Record<ViewerKind, Scopes>> = {
  admin: scopesOfRole('admin'),
  service: scopesOfRole('service'),
  reader: scopesOfRole('reader'),
  'reader of a project': scopesOfRole('reader', 'project'),
};

/** Returns the table in Markdown: fields by name, and arguments whose access differs from their field's. */
export function accessTable(schema: GraphQLSchema): string {
  const rows = [...accessOf(schema)].sort(([a], [b]) => (a < b ? -1 : 1));
  const byKey = new Map(rows);
  const cells = (row: AccessRow): string[] =>
    VIEWERS.map((viewer) => (row[viewer] === 'no' ? '' : row[viewer]));
  const shown = rows.filter(([key, row]) => {
    const [field, argument] = key.split('(');
    return argument === undefined || String(cells(row)) !== String(cells(byKey.get(field)!));
  });
  const lines = shown.map(([key, row]) => `| ${[`\`${key}\``, ...cells(row)].join(' | ')} |`);
  return [`| Field | ${VIEWERS.join(' | ')} |`, `|${' --- |'.repeat(VIEWERS.length + 1)}`, ...lines].join(
    '\n',
  );
}
