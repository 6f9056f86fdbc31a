/** The module `@jest/globals`. Each function calls the function of the current test file. */
export const afterAll = ofCurrentFile('afterAll');
export const afterEach = ofCurrentFile('afterEach');
export const beforeAll = ofCurrentFile('beforeAll');
export const beforeEach = ofCurrentFile('beforeEach');
export const describe = ofCurrentFile('describe');
export const expect = ofCurrentFile('expect');
export const jest = ofCurrentFile('jest');
export const test = ofCurrentFile('test');

function ofCurrentFile(name) {
  const current = () => globalThis.jestGlobals[name];
  return new Proxy(() => undefined, {
    apply: (_, target, values) => Reflect.apply(current(), target, values),
    get: (_, key) => current()[key],
  });
}
