import { expect, test } from '@jest/globals';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { fingerprint, tableNames } from '../adopt/placementDatabase.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import type { TestDatabase } from '../support/database.js';
import { CATALOG, ended, OTHERS, rowsOf, startExport, startImport, useDatabases } from './transferSupport.js';

const { ours, placement } = useDatabases();
const ALL = [...OTHERS, ...CATALOG];

const UTF8MB4 = 'utf8mb4 COLLATE utf8mb4_unicode_ci';

test('a cloud is exported, and imported again: every row is the same, and no table of ours is there', async () => {
  const [source, target, again] = [await ours(), await placement(['newest'], UTF8MB4), await ours()];
  await loadDemoData(source, { hosts: 30 });
  await source.pool.query(
    `INSERT IGNORE INTO resource_provider_traits (trait_id, resource_provider_id)
       SELECT t.id, p.id FROM traits t CROSS JOIN resource_providers p LIMIT 12000`,
  );
  const [rows, names] = [await rowsOf(source, ALL), await tableNames(target.pool)];
  expect(rows.resource_provider_traits.length).toBeGreaterThan(10_000); // several batches
  // as OpenStack Placement leaves it that was once started there
  await target.pool.query(
    "INSERT INTO traits (id, name) VALUES (1, 'HW_GPU_API_VULKAN'), (2, 'COMPUTE_NODE')",
  );
  const dry = await ended(startExport(source, target, '--dry-run'));
  expect([dry.code, dry.lines.at(-1)]).toEqual([0, 'nothing is changed']);
  expect(dry.lines).toContainEqual(expect.stringMatching(/^would copy resource_providers: rows \d+; /));
  const { code, lines } = await ended(startExport(source, target)); // which would refuse a target with rows
  expect(code).toBe(0);
  expect(lines[0]).toBe('the target: OpenStack Placement, 2023.2 (Bobcat) and later, version a082b8bb98d0');
  expect(lines.at(-1)).toBe('the copy is equal to the source');
  expect(await rowsOf(target, ALL)).toEqual(rows);
  expect(await tableNames(target.pool)).toEqual(names);
  expect((await ended(startImport(target, again))).code).toBe(0);
  expect(await rowsOf(again, ALL)).toEqual(rows);
});

test('a name that the target cannot hold, and names that are one to the target, end it and leave nothing', async () => {
  const [source, target] = [await ours(), await placement(['newest'])];
  const before = await rowsOf(target, ALL);
  const { uuid } = await createProvider(source.ledger, { name: 'cn1 🚀' });
  const expectFailure = async (reason: RegExp): Promise<void> => {
    const { code, lines } = await ended(startExport(source, target));
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(reason);
    expect(await rowsOf(target, ALL)).toEqual(before);
  };
  await expectFailure(/^cannot copy resource_providers: Incorrect string value/);
  await updateProvider(source.ledger, { resourceProvider: uuid, name: 'cn1' });
  await createProvider(source.ledger, { name: 'CN1' });
  await expectFailure(/^cannot copy resource_providers: Duplicate entry 'CN1'/);
});

test('refused are targets without tables, with rows, made by this program, and the source itself', async () => {
  const [source, own, filled] = [await ours(), await ours(), await placement()];
  const before = await fingerprint(filled);
  const refusal = async (target: TestDatabase): Promise<unknown> => {
    const { code, lines } = await ended(startExport(source, target));
    expect(code).toBe(1);
    return lines.at(-1);
  };
  expect(await refusal(own)).toMatch(/^the target is no database .*`placement-manage db sync`/);
  expect(await refusal(filled)).toBe('the target must be empty, and it has rows in resource_providers');
  expect(await refusal(source)).toBe('the source and the target are the same database');
  expect(await fingerprint(filled)).toEqual(before);
});
