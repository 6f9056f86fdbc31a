// Run by `npm start` once the server listens: builds the pages that it serves, if their sources have changed.
import { prepare } from './setup/prepare.mjs';
import { prepareDashboard } from './setup/project.mjs';

await prepare(prepareDashboard);
