// A Prisma generator that writes down the data model of a schema as JSON, for the drift test (see datamodel.ts).
import { writeFileSync } from 'node:fs';
import generatorHelper from '@prisma/generator-helper';

generatorHelper.generatorHandler({
  onManifest: () => ({ prettyName: 'the data model', defaultOutput: './datamodel.json' }),
  onGenerate: ({ dmmf, generator }) => {
    writeFileSync(generator.output.value, JSON.stringify(dmmf.datamodel));
    return Promise.resolve();
  },
});
