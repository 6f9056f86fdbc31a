import { attackedServer } from './attackedServer.js';
import './claims.js';
import './documents.js';
import './fairShares.js';
import './http.js';
import './lists.js';
import './longRequests.js';
import './makeRoom.js';
import './plans.js';
import './prices.js';
import './references.js';
import './requestSizes.js';
import './rest.js';
import './scalars.js';
import './unselectedLists.js';

/** The proxy on this machine reports the addresses of clients. */
const PROXY = { PLACEMENT_HTTP_TRUSTED_PROXIES: '127.0.0.1' };

attackedServer({ environment: PROXY, headers: {} });
