// Imported first: graphql-js reads NODE_ENV at load. Outside of production it compares classes.
process.env.NODE_ENV ??= 'production';
