import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { useApi } from '../support/api.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp('```' + language + '\\n(.*?)```', 's').exec(readme)![1];

const { api } = useApi({ fill: (database) => loadDemoData(database, { hosts: 100 }) });

test("the README's query gives the README's answer", async () => {
  const data = await api.read(block('graphql'));
  expect({ data }).toEqual(JSON.parse(block('json')));
});
