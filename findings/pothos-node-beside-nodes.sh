#!/usr/bin/env bash
# @pothos/plugin-relay 4.8.1 with @pothos/core 4.15.1 and graphql 16.15.0 (npm): if one document asks `node(id)` and
# `nodes(ids)` for the same object, and the object is loaded asynchronously by `loadOne` and has no `isTypeOf`, `nodes` fails
# with 'Abstract type "Node" must resolve to an Object type'. The two fields share the loaded object, and `nodes` returns it
# before it is marked with its type. Two `node` fields, or an id twice in one `nodes`, succeed.
#
# Seen on 2026-11-29. Clients that refetch a list beside an object that it contains meet it.
# Needs Node 20 or later and npm. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @pothos/core@4.15.1 @pothos/plugin-relay@4.8.1 graphql@16.15.0 > /dev/null
cat > check.mjs <<'JS'
import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { graphql } from 'graphql';

const builder = new SchemaBuilder({ plugins: [RelayPlugin], relay: {} });
builder.queryType({});
builder.node(builder.objectRef('Item'), {
  id: { resolve: ({ id }) => id },
  loadOne: async (id) => ({ id }),
  fields: () => ({}),
});
const schema = builder.toSchema();
const id = btoa('Item:1');

async function errorsOf(source) {
  const { errors = [] } = await graphql({ schema, source, contextValue: {} });
  return errors.map(({ message }) => message.slice(0, 58));
}

const alone = [
  ...(await errorsOf(`{ a: node(id: "${id}") { id } b: node(id: "${id}") { id } }`)),
  ...(await errorsOf(`{ nodes(ids: ["${id}", "${id}"]) { id } }`)),
];
const together = await errorsOf(`{ node(id: "${id}") { id } nodes(ids: ["${id}"]) { id } }`);
console.log(`alone: ${JSON.stringify(alone)}; together: ${JSON.stringify(together)}`);
const expected = ['Abstract type "Node" must resolve to an Object type at run'];
process.exit(alone.length === 0 && JSON.stringify(together) === JSON.stringify(expected) ? 0 : 1);
JS
node check.mjs
