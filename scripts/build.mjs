import { access, constants, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './dashboard.mjs';
import { fingerprintOf, listFiles, readFiles } from './fingerprint.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.build');
const TIMES = join(DIST, '.times');

/** The folders that become dist. TypeScript is compiled file by file; other files are copied. */
const SOURCES = ['src', 'adapters'];
/** Files that change the result as well. */
const RECIPE = ['scripts/build.mjs', 'tsconfig.json', 'package.json'];

/** The build failed. The message is meant for the person who started the program. */
export class BuildError extends Error {}

/**
 * Updates dist, including the dashboard. Resolves with whether the program changed.
 *
 * Two processes may build at once while a third one reads dist: each file is replaced atomically, and the
 * stamp of the complete build is written last.
 */
export async function build({ force = false } = {}) {
  const [program] = await Promise.all([
    buildProgram(force),
    buildDashboard({ force }).catch(explainDashboard),
  ]);
  return program;
}

/** The same for the program alone. */
export async function buildProgram(force = false) {
  const built = await readStamp();
  if (!force && (await fingerprintOf(ROOT, listSources(), TIMES)) === built) return false;
  let sources = await readFiles(ROOT, listSources());
  try {
    for (;;) {
      await writeDist(sources.files.filter(({ path }) => !RECIPE.includes(path)));
      const after = await readFiles(ROOT, listSources());
      if (after.fingerprint === sources.fingerprint) break;
      sources = after;
    }
    await replace(STAMP, sources.fingerprint);
  } catch (error) {
    throw explained(error);
  }
  return true;
}

const listSources = () => [...listFiles(ROOT, SOURCES, (path) => !path.endsWith('.md')), ...RECIPE];

function readStamp() {
  return readFile(STAMP, 'utf8').catch(() => undefined);
}

async function writeDist(files) {
  await mkdir(DIST, { recursive: true });
  await access(DIST, constants.W_OK);
  const translated = await translate(files.filter(({ path }) => path.endsWith('.ts')));
  const copied = files.filter(({ path }) => !path.endsWith('.ts'));
  const outputs = new Map([
    ...translated.map((file) => [file.path, file.contents]),
    ...copied.map((file) => [join(DIST, file.path), file.bytes]),
  ]);
  const folders = new Set([...outputs.keys()].map(dirname));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await Promise.all([...outputs].map(([path, contents]) => replace(path, contents)));
  await removeOthers(outputs);
}

async function translate(files) {
  const esbuild = await import('esbuild').catch((cause) => {
    throw new BuildError('esbuild is not installed; run npm ci.', { cause });
  });
  try {
    const result = await esbuild.build({
      absWorkingDir: ROOT,
      entryPoints: files.map((file) => file.path),
      outbase: ROOT,
      outdir: DIST,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
      write: false,
      logLevel: 'silent',
    });
    return result.outputFiles;
  } finally {
    // Otherwise esbuild's process runs as long as this one.
    await esbuild.stop();
  }
}

async function replace(path, contents) {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, contents);
  await rename(draft, path);
}

/** Removes the output of earlier sources, and declarations: `npm pack` writes them, and they would be stale. */
async function removeOthers(outputs) {
  const read = (folder) => readdir(join(DIST, folder), { recursive: true, withFileTypes: true });
  const entries = (await Promise.all(SOURCES.map(read))).flat();
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'));
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const old = paths.filter((path) => !outputs.has(path));
  await Promise.all(old.map((path) => rm(path, { force: true })));
}

function explainDashboard(error) {
  throw new BuildError(`the dashboard: ${error.message}`, { cause: error });
}

function explained(error) {
  if (error instanceof BuildError) return error;
  const [first] = error.errors ?? [];
  if (first?.location) {
    const { file, line, column } = first.location;
    return new BuildError(`${file}:${line}:${column + 1}: ${first.text}`, { cause: error });
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    const advice = 'run npm run build once as the owner of this folder';
    return new BuildError(
      `the program is not built and ${DIST} can't be written (${error.code}); ${advice}.`,
      {
        cause: error,
      },
    );
  }
  return new BuildError(`${error.message}`, { cause: error });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build({ force: true });
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
