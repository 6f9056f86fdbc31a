// A Prisma generator that writes the tables of prisma/schema.prisma as data: src/generated/expectedTables.ts, which
// is read to adopt, compare, back up and copy databases.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import generatorHelper from '@prisma/generator-helper';

const TYPES = { Int: 'int', BigInt: 'bigint', Float: 'double' };

generatorHelper.generatorHandler({
  onManifest: () => ({ prettyName: 'the tables', defaultOutput: '../src/generated/expectedTables.ts' }),
  onGenerate: ({ dmmf, datamodel, generator }) => {
    const tables = Object.fromEntries(
      dmmf.datamodel.models.map((model) => [model.dbName, tableOf(model, dmmf.datamodel, datamodel)]),
    );
    const lines = Object.entries(tables).map(([name, table]) => `  ${name}: ${JSON.stringify(table)},\n`);
    mkdirSync(dirname(generator.output.value), { recursive: true });
    writeFileSync(
      generator.output.value,
      `/** Generated from prisma/schema.prisma. */\nexport const expectedTables = {\n${lines.join('')}};\n`,
    );
    return Promise.resolve();
  },
});

function tableOf(model, { models, indexes }, text) {
  const nameOf = (name) => {
    const field = model.fields.find((each) => each.name === name);
    return field.dbName ?? field.name;
  };
  const keys = (type) => indexes.filter((index) => index.model === model.name && index.type === type);
  const columnsOf = ({ fields }) => fields.map(({ name }) => nameOf(name));
  const named = (type) => Object.fromEntries(keys(type).map((index) => [index.dbName, columnsOf(index)]));
  const scalars = model.fields.filter(({ kind }) => kind === 'scalar');
  const relations = model.fields.filter((field) => hasKey(text, model, field));
  return {
    isOwn: model.documentation?.startsWith('Own table') ?? false,
    columns: Object.fromEntries(scalars.map((field) => [nameOf(field.name), columnOf(field)])),
    primaryKey: keys('id').flatMap(columnsOf),
    unique: named('unique'),
    indexes: named('normal'),
    foreignKeys: Object.fromEntries(
      relations.map(({ type, relationFromFields: [from] }) => [
        nameOf(from),
        models.find(({ name }) => name === type).dbName,
      ]),
    ),
  };
}

function columnOf({ type, nativeType, isRequired, default: value }) {
  const isCounted = value?.name === 'autoincrement';
  return {
    type: nativeType ? typeOf(nativeType) : TYPES[type],
    isNullable: !isRequired,
    isCounted,
    default: isCounted || value === undefined ? null : String(value),
  };
}

function typeOf([name, [size]]) {
  return name.toLowerCase() + (size === undefined || size === '0' ? '' : `(${size})`);
}

/** Returns whether a relation names a foreign key. Prisma's data model omits the name. */
function hasKey(text, model, { name, relationFromFields }) {
  if (!relationFromFields?.length) return false;
  const body = new RegExp(`^model ${model.name} \\{\n(.*?)^\\}`, 'ms').exec(text)?.[1] ?? '';
  return new RegExp(`^\\s*${name} .*@relation\\([^)]*map: "`, 'm').test(body);
}
