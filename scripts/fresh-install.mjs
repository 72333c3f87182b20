// Tests a new installation of the package on the oldest supported Node: npm installs it into an empty folder without a warning
// about the version of Node, it starts, and the tests of a scaffolded adapter pass.
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, lastWords, run, start, stopAll, until } from '../examples/check/processes.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const NPM = ['--no-audit', '--no-fund', '--prefer-offline'];
const START_LIMIT_MS = 120_000;

const { values } = parseArgs({
  options: {
    // The folder with the oldest Node's binary, and the packed package, if they exist already.
    node: { type: 'string' },
    package: { type: 'string' },
  },
});

/** The lowest version that package.json allows, in full. */
async function oldestNode() {
  const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const [, major, minor = '0'] = /^>=(\d+)(?:\.(\d+))?$/.exec(engines.node) ?? [];
  if (major === undefined) throw new Error(`engines.node is ${engines.node}, which has no minimum version.`);
  return `${major}.${minor}.0`;
}

async function nodeFolder(version, folder) {
  if (values.node !== undefined) return values.node;
  const name = `node-${process.platform}-${process.arch}`;
  await run('npm', ['install', '--prefix', folder, '--no-save', ...NPM, `${name}@${version}`]);
  return join(folder, 'node_modules', name, 'bin');
}

async function pack(folder) {
  if (values.package !== undefined) return values.package;
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', folder], { cwd: ROOT }),
  );
  return join(folder, packed.filename);
}

/** Installs packages. Throws if npm warns about the version of Node. */
async function install(cwd, env, ...packages) {
  const output = await run('bash', ['-c', 'npm install "$@" 2>&1', 'npm', ...NPM, ...packages], { cwd, env });
  if (output.includes('EBADENGINE')) throw new Error(`npm warns about this Node:\n${output}`);
}

async function holdsDocumentation(home) {
  const pages = await readdir(join(home, 'docs'));
  if (!pages.includes('writing-an-adapter.md')) throw new Error('The package has no documentation.');
  for (const name of ['irc', 'xmpp', 'email']) await readFile(join(home, 'examples', name, 'src/index.ts'));
}

async function starts(cwd, env) {
  const port = await freePort();
  start('npx', ['trunkline', 'start'], {
    cwd,
    env: { ...env, PORT: String(port), DATA_DIR: join(cwd, 'data') },
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('the service is ready', isReady, START_LIMIT_MS);
  await stopAll();
}

async function scaffoldPasses(cwd, env) {
  await run('npx', ['trunkline', 'adapter', 'new', 'pager'], { cwd, env });
  const adapter = join(cwd, 'trunkline-adapter-pager');
  await install(adapter, env);
  const output = await run('npm', ['test'], { cwd: adapter, env });
  if (!/^# fail 0$/m.test(output)) throw new Error(`The tests of the scaffold failed:\n${output}`);
}

const folder = await mkdtemp(join(tmpdir(), 'trunkline-fresh-'));
let failed = false;
try {
  const version = await oldestNode();
  const env = {
    PATH: `${await nodeFolder(version, join(folder, 'node'))}:${process.env.PATH}`,
    HOME: process.env.HOME,
  };
  const found = (await run('node', ['--version'], { env })).trim();
  if (found !== `v${version}`) throw new Error(`This is Node ${found}, not ${version}.`);
  const app = join(folder, 'app');
  await mkdir(app);
  const steps = {
    'installs into an empty folder': async () => {
      await run('npm', ['init', '--yes'], { cwd: app, env });
      await install(app, env, await pack(folder));
    },
    'has the documentation and the examples': () => holdsDocumentation(join(app, 'node_modules/trunkline')),
    starts: () => starts(app, env),
    'writes an adapter whose tests pass': () => scaffoldPasses(app, env),
  };
  for (const [title, step] of Object.entries(steps)) {
    await step();
    console.log(`ok   on Node ${version}, the package ${title}`);
  }
} catch (error) {
  failed = true;
  console.log(`FAIL ${error.stack}\n${lastWords()}`);
} finally {
  await stopAll();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
process.exit(failed ? 1 : 0);
