import { alone } from '../../scripts/setup/alone.mjs';
import { prepareKeystone } from '../../scripts/setup/system.mjs';

/** Sees to it that there is OpenStack Keystone; no database server is needed. */
export default function prepare() {
  return alone(prepareKeystone);
}
