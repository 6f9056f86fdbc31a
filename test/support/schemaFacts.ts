import type { DMMF } from '@prisma/generator-helper';
import type { Schema } from './datamodel.js';

/**
 * What schema.prisma says about the tables, as one line for each fact, in the words of {@link databaseFacts}.
 * A relation without a `map` name has no foreign key: it is in `relationsWithoutKey` instead.
 */
export function schemaFacts({ text, datamodel }: Schema): { facts: string[]; relationsWithoutKey: string[] } {
  const relationsWithoutKey: string[] = [];
  const facts = datamodel.models.flatMap((model) => {
    const table = tableName(model);
    const columns = model.fields.filter(({ kind }) => kind === 'scalar');
    const relations = model.fields.filter(({ relationFromFields }) => relationFromFields?.length);
    const keyed = relations.filter((field) => keyName(text, model, field) !== undefined);
    for (const field of relations) {
      if (!keyed.includes(field)) relationsWithoutKey.push(`${table}: ${reference(datamodel, model, field)}`);
    }
    return [
      `${table}: table`,
      ...columns.map((field) => `${table}: column ${columnName(field)} ${columnType(field)}`),
      ...datamodel.indexes
        .filter((index) => index.model === model.name)
        .map((index) => `${table}: ${indexFact(model, index)}`),
      ...keyed.map(
        (field) =>
          `${table}: foreign key ${keyName(text, model, field)} ${reference(datamodel, model, field)}` +
          ` on delete ${rule(field.relationOnDelete)} on update ${rule(field.relationOnUpdate)}`,
      ),
    ];
  });
  return { facts, relationsWithoutKey };
}

function tableName(model: DMMF.Model): string {
  return model.dbName ?? model.name;
}

function columnName(field: DMMF.Field): string {
  return field.dbName ?? field.name;
}

function columnsOf(model: DMMF.Model, names: readonly string[]): string {
  const columns = names.map((name) => model.fields.find((field) => field.name === name));
  return `(${columns.map((field) => (field ? columnName(field) : '?')).join(', ')})`;
}

const TYPES: Record<string, string> = {
  Int: 'int',
  BigInt: 'bigint',
  Boolean: 'tinyint(1)',
  Float: 'double',
};

function columnType(field: DMMF.Field): string {
  const parts = [nativeType(field), field.isRequired ? 'not null' : 'null'];
  const value = field.default;
  if (typeof value === 'object' && 'name' in value && value.name === 'autoincrement')
    parts.push('auto_increment');
  else if (value !== undefined) parts.push(`default ${JSON.stringify(value)}`);
  return parts.join(' ');
}

function nativeType({ nativeType, type, name }: DMMF.Field): string {
  if (!nativeType) {
    if (type in TYPES) return TYPES[type];
    throw new Error(`the drift test does not know the column type of ${name} ${type}`);
  }
  const [native, args] = nativeType;
  const size = args.filter((argument) => !(native === 'DateTime' && argument === '0'));
  return native.toLowerCase() + (size.length > 0 ? `(${size.join(',')})` : '');
}

function indexFact(model: DMMF.Model, { type, dbName, fields }: DMMF.Index): string {
  const columns = columnsOf(
    model,
    fields.map(({ name }) => name),
  );
  if (type === 'id') return `primary key ${columns}`;
  return `${type === 'normal' ? 'index' : type} ${dbName ?? '(unnamed)'} ${columns}`;
}

function reference({ models }: DMMF.Datamodel, model: DMMF.Model, field: DMMF.Field): string {
  const target = models.find(({ name }) => name === field.type);
  if (!target) throw new Error(`${model.name}.${field.name} refers to the unknown model ${field.type}`);
  const from = columnsOf(model, field.relationFromFields ?? []);
  return `${from} -> ${tableName(target)} ${columnsOf(target, field.relationToFields ?? [])}`;
}

/** `NoAction`, as Prisma writes it, in the words of SQL. */
function rule(action: string | undefined): string {
  return (action ?? '(default)').replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** The name of a relation's foreign key, which Prisma's data model leaves out. */
function keyName(text: string, model: DMMF.Model, field: DMMF.Field): string | undefined {
  const body = new RegExp(`^model ${model.name} \\{\n(.*?)^\\}`, 'ms').exec(text)?.[1] ?? '';
  const line = body.split('\n').find((candidate) => candidate.trim().startsWith(`${field.name} `)) ?? '';
  return /@relation\([^)]*map: "([^"]+)"/.exec(line)?.[1];
}
