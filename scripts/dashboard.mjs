// Run by `npm start` once the server listens: makes the bundle, which the next start needs, and builds the dashboard.
import { prepare } from './setup/prepare.mjs';
import { prepareBundle, prepareDashboard } from './setup/project.mjs';

await prepare(prepareBundle, prepareDashboard);
