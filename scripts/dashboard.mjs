// Run by `npm start` once the server listens: builds the dashboard, and the bundle that makes the next start faster.
import { prepare } from './setup/prepare.mjs';
import { prepareBundle, prepareDashboard } from './setup/project.mjs';

await prepare(prepareDashboard, prepareBundle);
