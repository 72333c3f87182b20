// Runs specmatic, an independent tool: it reads the OpenAPI description and sends requests to its own service.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { build } from './build.mjs';

const { values } = parseArgs({
  options: {
    jar: { type: 'string', default: 'node_modules/specmatic/specmatic.jar' },
    version: { type: 'string', default: '1.0' },
    generative: { type: 'boolean', default: false },
    filter: { type: 'string' },
  },
});
const jar = resolve(values.jar);
if (!existsSync(jar)) {
  console.error(`${jar} is missing; run npm install --no-save specmatic@2.55.1`);
  process.exit(2);
}

await build();
const { module } = await runnerImport('./test/specmatic/run.ts');
process.exitCode = await module.run({ ...values, jar });
