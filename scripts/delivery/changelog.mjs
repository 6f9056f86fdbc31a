/**
 * The notes of a release: the section of CHANGELOG.md below `## VERSION (YYYY-MM-DD)`, up to the next one.
 * @throws Error when there is none, or nothing is in it
 */
export function releaseNotes(changelog, version) {
  const lines = changelog.split('\n');
  const isHeading = (line) => line.startsWith('## ');
  const first = lines.findIndex((line) => isHeading(line) && line.slice(3).split(' ')[0] === version);
  if (first < 0)
    throw new Error(`CHANGELOG.md has no section "## ${version} (date)": rename "## Unreleased"`);
  if (!/^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(lines[first]))
    throw new Error(
      `the heading "${lines[first]}" of CHANGELOG.md has no date: "## ${version} (YYYY-MM-DD)"`,
    );
  const rest = lines.slice(first + 1);
  const next = rest.findIndex(isHeading);
  const notes = (next < 0 ? rest : rest.slice(0, next)).join('\n').trim();
  if (notes === '') throw new Error(`the section ${version} of CHANGELOG.md is empty`);
  return `${notes}\n`;
}
