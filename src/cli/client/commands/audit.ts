import type { Command } from 'commander';
import { AuditDocument, type AuditCheck } from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { collect } from '../arguments/amounts.js';
import type { Client } from '../connection/client.js';
import { allPages } from '../connection/pages.js';
import { list, type Output } from '../output/output.js';

export function addAuditCommand(program: Command): void {
  addCommand(program, 'audit', 'what is wrong with what is stored; findings are no failure')
    .option(
      '--check <check>',
      'look for this alone, such as over-capacity; may be repeated',
      collect((text) => text.toUpperCase().replaceAll('-', '_') as AuditCheck),
    )
    .action(action(audit));
}

async function audit(client: Client, { check }: { check?: AuditCheck[] }): Promise<Output> {
  const findings = await allPages(
    async (page) => (await client.run(AuditDocument, { ...(check && { checks: check }), ...page })).audit,
  );
  return list(findings, { check: (each) => each.check, finding: (each) => each.message }, 'nothing is wrong');
}
