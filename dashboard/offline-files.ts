import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Larger files belong to the map, which is useless offline. */
const MAX_BYTES = 600_000;
/** Files that the browser loads outside the page. */
const IS_FOR_PAGE = /\.(?:js|svg)$/;

const sourceOf = (file: Rollup.OutputAsset | Rollup.OutputChunk) =>
  file.type === 'chunk' ? file.code : file.source;

/** Writes the service worker with the list of files to store. Any change of the build changes its version. */
export function offlineFiles(): Plugin {
  return {
    name: 'offline-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const built = Object.values(bundle);
      const entry = built.find((file) => file.type === 'chunk' && file.isEntry)?.fileName;
      const hashed = built.filter(
        (file) => file.fileName.startsWith('assets/') && sourceOf(file).length <= MAX_BYTES,
      );
      const plain = readdirSync(here('public')).filter((name) => IS_FOR_PAGE.test(name));
      const files = [...hashed.map(({ fileName }) => fileName), ...plain].sort();
      const hash = createHash('sha256').update(JSON.stringify(files));
      for (const name of plain) hash.update(readFileSync(here(`public/${name}`)));
      hash.update(sourceOf(bundle['index.html'] as Rollup.OutputAsset));
      const release = JSON.stringify({ version: hash.digest('hex').slice(0, 16), entry, files });
      const source = readFileSync(here('service-worker.js'), 'utf8').replace('%RELEASE%', () => release);
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}
