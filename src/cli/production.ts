// Imported first: graphql-js reads NODE_ENV when it loads, and otherwise compares classes at every step.
process.env.NODE_ENV ??= 'production';
