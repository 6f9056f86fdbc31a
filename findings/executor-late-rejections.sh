#!/usr/bin/env bash
# @graphql-tools/executor 2.1.0 with graphql 16.15.0 (npm; the executor of GraphQL Yoga 5): if an object of a list from an
# async iterable fails while another of its fields is pending, nothing handles the rejection until the whole list has
# been read. Node reports each such object as an unhandled rejection first and as handled later, although the answer is
# correct. A server with a listener for unhandled rejections logs a line for each object of a long list.
#
# Seen on 2026-11-28: five objects, each with a slow field and a required field that fails: one error in the answer,
# five unhandled rejections, all five handled after the end of the list. With an array: none.
# Needs Node 20 or later and npm. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @graphql-tools/executor@2.1.0 graphql@16.15.0 > /dev/null
cat > check.mjs <<'JS'
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { execute } from '@graphql-tools/executor';

const Item = new GraphQLObjectType({
  name: 'Item',
  fields: {
    slow: { type: GraphQLString, resolve: () => sleep(1, 'done') },
    failing: {
      type: new GraphQLNonNull(GraphQLString),
      resolve() {
        throw new Error('no value');
      },
    },
  },
});
const objects = [{}, {}, {}, {}, {}];
async function* oneByOne() {
  for (const object of objects) {
    yield object;
    await sleep(20);
  }
}
const items = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Item)));
const query = new GraphQLObjectType({
  name: 'Query',
  fields: {
    array: { type: items, resolve: () => objects },
    iterable: { type: items, resolve: () => oneByOne() },
  },
});
const schema = new GraphQLSchema({ query });

let counts;
process.on('unhandledRejection', () => counts.unhandled++);
process.on('rejectionHandled', () => counts.handledLater++);
const expected = { array: '1 0 0', iterable: '1 5 5' };
let isAsExpected = true;
for (const [field, wanted] of Object.entries(expected)) {
  counts = { unhandled: 0, handledLater: 0 };
  const { errors } = await execute({ schema, document: parse(`{ ${field} { slow failing } }`) });
  await sleep(50);
  const found = `${errors.length} ${counts.unhandled} ${counts.handledLater}`;
  console.log(`${field}: ${errors.length} error, ${counts.unhandled} unhandled, ${counts.handledLater} handled later`);
  isAsExpected &&= found === wanted;
}
process.exit(isAsExpected ? 0 : 1);
JS
node check.mjs
