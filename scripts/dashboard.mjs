// Run by `npm start` once the server listens: builds the dashboard.
import { prepare } from './setup/prepare.mjs';
import { prepareDashboard } from './setup/project.mjs';

await prepare(prepareDashboard);
