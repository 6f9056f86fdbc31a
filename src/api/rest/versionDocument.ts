import type { RestAnswer } from './answer.js';
import { FIRST, LATEST, versionText } from './microversion.js';

/** States the supported versions. Clients read it without credentials. */
export function versionDocument(): Promise<RestAnswer> {
  const version = {
    id: `v${versionText(FIRST)}`,
    max_version: versionText(LATEST),
    min_version: versionText(FIRST),
    status: 'CURRENT',
    links: [{ rel: 'self', href: '' }],
  };
  return Promise.resolve({ status: 200, body: { versions: [version] }, lastModified: new Date() });
}
