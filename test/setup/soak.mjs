import galera from './galera.mjs';

/** What the cluster needs; the database that it starts besides is for what is compiled, and ends what a killed run left. */
export default galera;
