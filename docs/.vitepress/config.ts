import { slug } from 'github-slugger';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { LOGO, pathOf } from './paths.js';
import { repositoryFiles } from './repositoryFiles.js';
import { sidebar } from './sidebar.js';

const files = repositoryFiles([LOGO]);

/** Indented lines are commands for a shell; VitePress puts only what is between fences in a box. */
function showIndented(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('indented_commands', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'code_block'))
      Object.assign(token, { type: 'fence', info: 'sh' });
  });
}

/**
 * The site has the folders of the repository, so that a relative link means the same in both: docs/concepts.md is
 * /docs/concepts.html. The front page is docs/home.md, and README.md is /readme.html.
 */
export default defineConfig({
  title: 'placement-graphql',
  description: 'A GraphQL server for resource placement',
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `/${LOGO}` }]],
  srcDir: '..',
  srcExclude: ['.*/**', 'dist/**', 'release/**', 'site/**', '**/node_modules/**'],
  rewrites: pathOf,
  outDir: '../site',
  cacheDir: '../.cache/vitepress',
  markdown: {
    anchor: { slugify: (heading) => slug(heading) }, // as the hosts of repositories name headings
    config(markdown) {
      files.publishLinked(markdown);
      showIndented(markdown);
    },
    languageAlias: { haproxy: 'nginx' },
  },
  themeConfig: {
    logo: `/${LOGO}`,
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
  },
  buildEnd: ({ outDir }) => files.copyTo(outDir),
});
