import { join } from 'node:path';
import { readCatalog } from './catalog.mjs';
import { readHeaders } from './headers.mjs';
import { importedCalls } from './imports.mjs';
import { renderCalls } from './render.mjs';
import { declaredTypes } from './types.mjs';

export const CALLS = 'src/store/calls.gen.ts';

/** The text of calls.gen.ts, from the sources in `root` and a database that has their functions. */
export async function generateCalls(root, client) {
  const sources = join(root, 'src');
  const [wanted, catalog, headers, homes] = await Promise.all([
    importedCalls(sources),
    readCatalog(client),
    readHeaders(join(sources, 'store/functions')),
    declaredTypes(sources),
  ]);
  return renderCalls({ wanted, catalog, headers, homes });
}
