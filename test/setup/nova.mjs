import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../scripts/setup/progress.mjs';
import { run } from '../../scripts/setup/run.mjs';

/** To run OpenStack Placement beside this server. */
const PLACEMENT = ['python3-placement', 'python3-pymysql', 'gunicorn'];

/** What the functional tests of the packages import, and the packages do not depend on. */
const TESTS = ['python3-oslotest', 'python3-wsgi-intercept', 'python3-fixtures'];

/** Returns the checkout of Placement whose gabbi files run. */
export async function requireGabbi() {
  const source = process.env.PLACEMENT_SOURCE;
  if (!source || !existsSync(join(source, 'placement/tests/functional/gabbits')))
    throw new Refusal(
      'PLACEMENT_SOURCE must name a checkout of https://github.com/openstack/placement, whose tests Debian does not package',
    );
  await requirePackages([...PLACEMENT, 'python3-gabbi']);
  return source;
}

export function requireOscPlacement() {
  return requirePackages([...PLACEMENT, ...TESTS, 'python3-osc-placement', 'python3-openstackclient']);
}

export function requireNovaTests() {
  const more = ['python3-requests-mock', 'python3-ddt', 'python3-testscenarios', 'python3-testresources'];
  return requirePackages([...PLACEMENT, ...TESTS, ...more, 'python3-nova', 'nova-common']);
}

export function requireNova() {
  const services = ['nova-api', 'nova-conductor', 'nova-scheduler', 'nova-compute'];
  return requirePackages([...PLACEMENT, ...services, 'rabbitmq-server']);
}

/** These packages are many, and rabbitmq-server starts a service: the suite does not install them itself. */
async function requirePackages(names) {
  const missing = [];
  for (const name of names) {
    const { code, output } = await run('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name]);
    if (code !== 0 || output !== 'installed') missing.push(name);
  }
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
  throw new Refusal(`packages of Debian are missing; run: ${command}`);
}
