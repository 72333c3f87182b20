import { join } from 'node:path';
import { readCatalog } from './catalog.mjs';
import { readHeaders } from './headers.mjs';
import { importedCalls } from './imports.mjs';
import { findCall, isExpression, renderCalls } from './render.mjs';
import { renderResults } from './results.mjs';
import { declaredTypes } from './types.mjs';

const CALLS = 'src/store/calls.gen.ts';
const RESULTS = 'test/support/call-results.gen.ts';

/**
 * The contents of the generated files by path: the calls, and the schemas of their results. `root` has the sources, and the
 * database of `client` has their functions.
 */
export async function generateCalls(root, client) {
  const sources = join(root, 'src');
  const [wanted, catalog, headers, homes] = await Promise.all([
    importedCalls(sources),
    readCatalog(client),
    readHeaders(join(sources, 'store/functions')),
    declaredTypes(sources),
  ]);
  const calls = renderCalls({ wanted, catalog, headers, homes });
  const results = [...wanted]
    .filter((name) => !isExpression(name))
    .map((name) => findCall(name, catalog, headers))
    .filter(({ header }) => header.returns !== 'void')
    .map(({ name, header }) => [name, header.returns]);
  return new Map([
    [CALLS, calls],
    [RESULTS, renderResults({ root, file: RESULTS, results, homes })],
  ]);
}
