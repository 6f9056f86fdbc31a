import '../src/production.js';
import { buildSchema } from '../src/api/schema.js';
import { builder } from '../src/api/builder.js';
import { openDatabase } from '../src/store/database/database.js';
import { createProcess } from '../src/server/process.js';
import { createServer } from '../src/server/server.js';

/**
 * This program is the server with a setAllocations that returns a constant and never uses the
 * database. It measures what the mutation costs before and after its own work.
 */
const consumer = {
  uuid: '00000000-0000-4000-8000-000000000000',
  generation: 1,
  consumerType: null,
  projectId: 'project-01',
  userId: 'user-01',
};

const schema = buildSchema();
schema.getMutationType()!.getFields().setAllocations.resolve = () => ({ consumers: [] });
const payload = schema.getType('SetAllocationsPayload');
if (payload === undefined || !('getFields' in payload))
  throw new Error('the schema has no SetAllocationsPayload');
const { consumers } = payload.getFields();
if (!('resolve' in consumers)) throw new Error('SetAllocationsPayload.consumers has no resolver');
consumers.resolve = () => [consumer];
builder.toSchema = () => schema;

const database = openDatabase(process.env.DATABASE_URL!);
const server = createServer(createProcess(database));
const { port } = await server.listen(0, '127.0.0.1');
console.log(`the stub is serving http://127.0.0.1:${port}/graphql`);
process.on('SIGTERM', () => {
  void server
    .close()
    .then(() => database.close())
    .then(() => process.exit(0));
});
