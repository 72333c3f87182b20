#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { mapStackTraces } from './stack-traces.mjs';

mapStackTraces();

try {
  // A checkout is built if its sources changed. An installed package contains no sources.
  if (existsSync(new URL('../src/main.ts', import.meta.url))) {
    const { build } = await import('../scripts/build.mjs');
    await build();
  }
} catch (error) {
  console.error(`trunkline: ${error.message}`);
  process.exit(1);
}
await import('../dist/src/main.js');
