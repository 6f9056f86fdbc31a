import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** The schema of the last release. */
export const RELEASED_SCHEMA = 'scripts/delivery/released.graphql';

/**
 * Returns the messages of the breaking changes from one schema to another that CHANGELOG.md does not declare. A row of the
 * table `### Breaking changes` below `## Unreleased` declares the elements whose coordinates are in its first cell: `Type`
 * (with all its members), `Type.field` or `Type.field(argument:)`.
 */
export async function undeclaredChanges(released, current, changelog) {
  const changes = await diff(buildSchema(released), buildSchema(current));
  const declared = declaredElements(changelog);
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .filter(({ path }) => !prefixesOf(path).some((element) => declared.has(element)))
    .map(({ path, message }) => `${path}: ${message}`);
}

/** Returns the paths that declare a change at `Type.field.argument`: this one, `Type.field` and `Type`. */
function prefixesOf(path) {
  const names = path.split('.');
  return names.map((_, position) => names.slice(0, position + 1).join('.'));
}

const COORDINATE = /`([A-Z]\w*)(?:\.(\w+)(?:\((\w+):\))?)?`/g;

function declaredElements(changelog) {
  const unreleased = sectionOf(changelog, '## Unreleased', /^## /);
  const rows = sectionOf(unreleased.join('\n'), '### Breaking changes', /^### /).filter((line) =>
    line.startsWith('|'),
  );
  const cells = rows.map((row) => row.split('|')[1]);
  const elements = cells.flatMap((cell) => [...cell.matchAll(COORDINATE)]);
  return new Set(elements.map(([, ...names]) => names.filter(Boolean).join('.')));
}

/** Returns the lines below a heading, up to the first line that matches `end`. */
export function sectionOf(text, heading, end) {
  const lines = text.split('\n');
  const first = lines.indexOf(heading);
  if (first < 0) return [];
  const rest = lines.slice(first + 1);
  const last = rest.findIndex((line) => end.test(line));
  return last < 0 ? rest : rest.slice(0, last);
}
