/** Jest's test environment: the process itself, without a context of the vm module. */
export default class Environment {
  global = Object.create(globalThis, { process: { value: undefined } });
  getVmContext() {
    return null;
  }
  async setup() {}
  async teardown() {}
}
