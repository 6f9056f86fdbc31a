import type { Finding, Level } from '../../database/diagnosis/finding.js';

const LEVELS: readonly Level[] = ['ok', 'warning', 'problem'];
const WIDTH = 'problem'.length;

/** A line for each finding, below it what to change, and the sum. */
export function asText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, found, change, statements = [] }) => [
    `${level.padEnd(WIDTH)}  ${check}: ${found}`,
    ...statements.map((statement) => `${' '.repeat(WIDTH)}  -> ${statement};`),
    ...(change === undefined ? [] : [`${' '.repeat(WIDTH)}  -> ${change}`]),
  ]);
  const [, warnings, problems] = LEVELS.map(
    (level) => findings.filter((each) => each.level === level).length,
  );
  return `${[...lines, `${problems} problems, ${warnings} warnings`].join('\n')}\n`;
}

/** The same for programs. */
export function asJson(findings: readonly Finding[]): string {
  const worst = LEVELS.findLast((level) => findings.some((each) => each.level === level)) ?? 'ok';
  return `${JSON.stringify({ worst, findings }, null, 2)}\n`;
}
