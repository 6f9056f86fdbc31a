// Run by `npm start` once the server listens: builds the dashboard. The server and its next start have priority.
import { constants, setPriority } from 'node:os';
import { prepare } from './setup/prepare.mjs';
import { prepareDashboard } from './setup/project.mjs';

setPriority(constants.priority.PRIORITY_LOW);
await prepare(prepareDashboard);
