import type { CodegenConfig } from '@graphql-codegen/cli';

/** Paths are relative to the folder `examples`. */
const config: CodegenConfig = {
  schema: '../schema.graphql',
  documents: ['codegen/main.ts', 'apollo/main.ts', 'urql/main.ts'],
  emitLegacyCommonJSImports: false,
  generates: {
    'codegen/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        // a scalar that is forgotten here is an error, not `any`
        strictScalars: true,
        scalars: { UUID: 'string', DateTime: 'string', SafeInt: 'number', JSON: 'unknown' },
        enumsAsTypes: true,
        useTypeImports: true,
      },
    },
    // which types an interface or a union has: a cache cannot tell from an answer
    'codegen/generated/possibleTypes.ts': {
      plugins: ['fragment-matcher'],
      config: { useExplicitTyping: true },
    },
  },
};

export default config;
