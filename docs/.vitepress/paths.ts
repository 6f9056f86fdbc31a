/** The picture of the front page, of the navigation bar and of the browser's tab, from the folder of the repository on. */
export const LOGO = 'dashboard/icon.svg';

/** Returns the path of a page in the site, from the path of its source. */
export function pathOf(page: string): string {
  if (page === 'docs/home.md') return 'index.md';
  if (page === 'README.md') return 'readme.md';
  return page.replace(/README\.md$/, 'index.md');
}
