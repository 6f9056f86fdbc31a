import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { root } from './root.js';

/** What a page is rendered with, as far as it is needed here. */
interface PageEnvironment {
  readonly relativePath: string;
}

interface RepositoryFiles {
  /** Has links to files of the repository that are no pages lead to copies of them. */
  publishLinked(markdown: MarkdownRenderer): void;
  /** Copies the files that pages link to. */
  copyTo(site: string): void;
}

const EXTERNAL = /^(?:[a-z]+:|\/|#)/i;

/**
 * Links of pages as the repository has them: a folder stands for its README.md, and what is no page, such as schema.graphql, is part
 * of the site as well. A link to nothing is left to VitePress, which fails.
 * @param others files that the site needs besides
 */
export function repositoryFiles(others: readonly string[]): RepositoryFiles {
  const linked = new Set(others);

  function publish(link: [name: string, value: string][], page: string): void {
    const href = link.find(([name]) => name === 'href');
    if (href === undefined || EXTERNAL.test(href[1])) return;
    const [, path, anchor] = /^([^#]*)(.*)$/.exec(href[1])!;
    const target = posix.join(posix.dirname(page), path);
    if (!existsSync(join(root, target))) return;
    if (target === 'README.md') {
      href[1] = `${path.replace(/README\.md$/, 'readme.html')}${anchor}`;
    } else if (statSync(join(root, target)).isDirectory()) {
      href[1] = `${path.replace(/\/?$/, '/')}${anchor}`;
    } else if (posix.basename(target) === 'README.md') {
      href[1] = `${path.replace(/README\.md$/, '')}${anchor}`;
    } else if (!target.endsWith('.md')) {
      linked.add(target);
      link.push(['target', '_self']); // the browser opens it, not the site's router
    }
  }

  return {
    publishLinked(markdown) {
      markdown.core.ruler.push('repository_files', ({ tokens, env }) => {
        const { relativePath } = env as PageEnvironment;
        const links = tokens
          .flatMap(({ children }) => children ?? [])
          .filter(({ type }) => type === 'link_open');
        for (const { attrs } of links) publish(attrs!, relativePath);
      });
    },
    copyTo(site) {
      for (const file of linked) {
        mkdirSync(dirname(join(site, file)), { recursive: true });
        cpSync(join(root, file), join(site, file));
      }
    },
  };
}
