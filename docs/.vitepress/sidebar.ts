import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { pathOf } from './paths.js';
import { root } from './root.js';

type Pages = readonly (string | readonly [title: string, pages: Pages])[];

const pagesOf = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => `${folder}/${file}`);
const guides = (...names: string[]): string[] => names.map((name) => `docs/guides/${name}.md`);
const references = (...names: string[]): string[] => names.map((name) => `docs/reference/${name}.md`);

const API = [
  'queries',
  'mutations',
  'subscriptions',
  'objects',
  'interfaces',
  'unions',
  'inputs',
  'enums',
  'scalars',
];

/** Every page but the front page, in the order of a reader. */
const PAGES: Pages = [
  ['Start', ['README.md', 'docs/tutorial.md', ...guides('install', 'versions', 'troubleshooting')]],
  ['Concepts', ['docs/concepts.md', 'docs/glossary.md']],
  [
    'Guides',
    [
      [
        'Model what you have',
        guides('fleets', 'numa', 'shared-storage', 'gpus', 'smartnics', 'licences', 'catalog'),
      ],
      ['Ask where', guides('candidates', 'candidate-order', 'why-no-candidates', 'headroom')],
      ['Claim', guides('allocations', 'claim', 'offers', 'workloads', 'quotas', 'change-parts')],
      [
        'Move and maintain',
        guides('grow-and-shrink', 'drain', 'rebalance', 'what-if', 'maintenance', 'reshape'),
      ],
      ['See', guides('pages', 'dashboards', 'watch', 'audit')],
      ['Write a client', guides('typed-clients')],
      ['Come from OpenStack Placement', guides('with-nova', 'beside-placement', 'move-data')],
    ],
  ],
  [
    'Operating',
    [
      'docs/operating.md',
      ...guides('authentication', 'network', 'observing', 'backup', 'upgrades'),
      'docs/performance.md',
      'docs/scale.md',
      'docs/reliability.md',
      'docs/track-record.md',
      'SECURITY.md',
    ],
  ],
  [
    'Reference',
    [
      ['API', API.map((kind) => `docs/reference/api/${kind}.md`)],
      ...references('rest', 'rules', 'errors', 'settings', 'command-line', 'access', 'other-software'),
    ],
  ],
  [
    'Decisions',
    ['docs/architecture.md', ['Records', ['docs/decisions/README.md', ...pagesOf('docs/decisions')]]],
  ],
  ['Project', ['CHANGELOG.md', 'CONTRIBUTING.md', 'test/README.md', 'examples/README.md']],
];

/** The pages as VitePress wants them: each named by its heading, the list of decisions folded. */
export function sidebar(pages = PAGES, depth = 0): DefaultTheme.SidebarItem[] {
  return pages.map((page) =>
    typeof page === 'string'
      ? {
          text: titleOf(page),
          link: `/${pathOf(page)
            .replace(/(^|\/)index\.md$/, '$1')
            .replace(/\.md$/, '.html')}`,
        }
      : { text: page[0], items: sidebar(page[1], depth + 1), collapsed: depth > 0 },
  );
}

function titleOf(page: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'));
  if (title === null) throw new Error(`${page} has no heading`);
  return title[1].replaceAll('`', '');
}
