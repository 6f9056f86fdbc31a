import { expect, test } from '@jest/globals';
import { hostPath, prefixedName } from '../../dashboard/components/hostPath';

const UUID = 'aaaaaaaa-0000-4000-8000-000000000001';

test.each(['.', '..', UUID, `name=${UUID}`, 'name=name=.', '...', 'name=', 'name=host', 'a/host of 100%'])(
  'the path of a host named %s leads to it',
  (name) => {
    const { pathname } = new URL(hostPath(name), 'http://localhost/consumers/x');
    const inPath = decodeURIComponent(pathname.replace(/^\/hosts\//, ''));
    expect(prefixedName(inPath) ?? inPath).toBe(name);
    expect(inPath).not.toBe(UUID);
  },
);

test.each([UUID, 'host', 'name=host'])('%s in a path has no prefix', (inPath) => {
  expect(prefixedName(inPath)).toBeNull();
});
