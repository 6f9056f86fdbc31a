/*
 * Imported before everything else: graphql-js looks at the environment when it is loaded, and unless told otherwise checks at every
 * step that there is only one copy of it.
 */
process.env.NODE_ENV ??= 'production';
