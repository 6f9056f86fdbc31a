import type { Machine } from './machine.js';

/** A script of Node that sends a GraphQL document and prints the answer. */
export function ask(url: string, query: string): string {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  };
  return node(
    `const answer = await fetch('${url}', ${JSON.stringify(request)}); console.log(await answer.text());`,
  );
}

/** A script of Node that prints the status and the body of an answer. */
export function get(url: string, headers: Record<string, string> = {}): string {
  return node(
    `const answer = await fetch('${url}', { headers: ${JSON.stringify(headers)} }); console.log(answer.status, await answer.text());`,
  );
}

/** Quoted for the shell. */
export function node(program: string): string {
  return `node --input-type=module --eval '${program.replaceAll("'", `'\\''`)}'`;
}

/** Makes a database and a user of it in the machine's MariaDB. */
export async function createDatabase(machine: Machine): Promise<string> {
  const sql = `CREATE DATABASE placement; CREATE USER placement@localhost IDENTIFIED BY 'p4ss';
    GRANT ALL ON placement.* TO placement@localhost`;
  await machine.mustRun(`mariadb --execute="${sql}"`);
  return 'mysql://placement:p4ss@127.0.0.1:3306/placement';
}
