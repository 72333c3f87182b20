import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fingerprintOf, listFiles } from './fingerprint.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'dashboard');
const CONFIG = join(SOURCES, 'vite.config.ts');
const OUT = join(ROOT, 'dist/dashboard');
const STAMP = join(OUT, '.build');
/** Next to the folder, because each build replaces the folder. */
const TIMES = `${OUT}.times`;

/** Files that change the result as well. The versions of the libraries are exact in package.json. */
const RECIPE = ['scripts/dashboard.mjs', 'package.json'];
const IS_COMPRESSIBLE = /\.(?:m?js|css|svg|html|json)$/;

/** Whether this folder has the sources of the dashboard. */
export const hasDashboard = () => existsSync(CONFIG);

/**
 * Updates dist/dashboard. Resolves with whether it was built. Without Vite, which is a development dependency, nothing
 * changes: the service runs without the dashboard as well.
 *
 * Two processes may build at once: each builds into its own folder, which then replaces the previous one.
 */
export async function buildDashboard({ force = false } = {}) {
  if (!hasDashboard()) return false;
  const fingerprint = await fingerprintOf(ROOT, listSources(), TIMES);
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined);
  if (!force && stamp === fingerprint) return false;
  const vite = await import('vite').catch(() => undefined);
  if (vite === undefined) {
    console.error('build: the dashboard was not built, because Vite is not installed; run npm ci.');
    return false;
  }
  const draft = `${OUT}.${process.pid}.tmp`;
  try {
    await asProduction(() =>
      vite.build({ configFile: CONFIG, logLevel: 'warn', build: { outDir: draft, emptyOutDir: true } }),
    );
    await compress(draft);
    await writeFile(join(draft, '.build'), fingerprint);
    await replace(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return true;
}

/** With another NODE_ENV, such as that of tests, the result would contain development checks and paths of this machine. */
async function asProduction(work) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

function listSources() {
  const counts = (path) => !/\.(?:md|test\.tsx?)$/.test(path);
  return [...listFiles(ROOT, ['dashboard'], counts), ...RECIPE];
}

/** Compresses each file once, instead of once per request. */
async function compress(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!IS_COMPRESSIBLE.test(name)) continue;
    const plain = await readFile(join(folder, name));
    const packed = await promisify(gzip)(plain, { level: 9 });
    if (packed.length < plain.length) await writeFile(join(folder, `${name}.gz`), packed);
  }
}

async function replace(draft) {
  await rm(OUT, { recursive: true, force: true });
  await rename(draft, OUT).catch((error) => {
    // Another process was faster and built the same result.
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  });
}

/** Starts a Vite server for `npm run dev` in front of the service at `target`. Resolves with its address. */
export async function serveDashboard(target) {
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: CONFIG,
    server: { proxy: proxyTo(target), strictPort: false },
  });
  await server.listen();
  return server.resolvedUrls?.local[0];
}

/** Forwards all requests to the service, except those for the dashboard's screens. */
function proxyTo(target) {
  const own = '^/(?!dashboard(?:/|$))';
  const pages = '^/dashboard/(?:api|pages|login|setup|invitations)(?:/|\\?|$)';
  return { [own]: { target, ws: true }, [pages]: { target } };
}
