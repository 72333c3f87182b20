// Tests a fresh clone after `npm ci`; called by .ci/run. Runs the documented commands on this Node. On Node 24, as an ordinary user,
// it runs the tests that depend on Node or the system. The last line is "N passed, N failed".
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runCheck, runFaults } from './checks.mjs';
import { Findings } from './findings.mjs';
import { ordinaryUser } from './ordinary-user.mjs';
import { installNode24, secondTests } from './second-run.mjs';
import { runTests } from './tests.mjs';

/** The oldest supported PostgreSQL, from Debian's packages. */
const OLDEST_POSTGRES = '/usr/lib/postgresql/15/bin';
const VITEST = ['node', 'node_modules/vitest/vitest.mjs', 'run'];

const work = mkdtempSync(join(tmpdir(), 'trunkline-ci-'));
const reports = join(work, 'reports');
mkdirSync(reports);
// The ordinary user writes here as well.
chmodSync(work, 0o755);
chmodSync(reports, 0o777);

const findings = new Findings();
const live = { print: (piece) => process.stdout.write(piece), findings, reports };

/** The duration of each step, in the order in which they end. */
const durations = [];
const step = (name) => console.log(`\n== ${name}`);

async function timed(name, work) {
  const start = performance.now();
  try {
    await work();
  } finally {
    durations.push(`${String(Math.round((performance.now() - start) / 1000)).padStart(6)} s  ${name}`);
  }
}
const npm = (...args) => ['npm', 'run', '--silent', ...args];
const check = (what, limit, command) => ({
  name: command.join(' '),
  run: (on) => runCheck(what, command, { limit, ...on }),
});
const tests = (name, command, env) => ({
  name,
  run: (on) => runTests(name, { command, env, ...on }),
});

const roles = tests('roles', ['npm', 'run', '--silent', 'test:roles', '--']);
// The release script is tested only before a release, because it builds and packs everything twice.
const withoutRelease = process.env.CI_EVERYTHING ? [] : ['--exclude', 'test/long/release.test.ts'];
const long = tests('long', ['npm', 'run', '--silent', 'test:long', '--', ...withoutRelease]);
const browser = tests('browser', ['npm', 'run', '--silent', 'test:browser', '--']);
// Tests that depend on the server. The one that compares query plans line by line expects the plans of the newest PostgreSQL.
const postgres15 = tests(
  'postgres15',
  [
    ...[...VITEST, '--project', 'integration'],
    ...['store', 'states', 'webhooks'].map((area) => `test/integration/${area}`),
    'test/integration/cli/backup.test.ts',
    ...['--exclude', 'test/integration/store/partitions.test.ts'],
  ],
  { TEST_POSTGRES_BIN: OLDEST_POSTGRES },
);
const conformance = check(
  'A bundled adapter violates the contract.',
  900,
  npm('conformance', '--', '--quick'),
);
const examples = check('An example does not work.', 900, npm('examples'));
const site = check('The documentation site does not build, or has a dead link.', 300, npm('docs:site'));
const installed = check('The package does not install or start on the oldest Node.', 900, [
  'node',
  'scripts/fresh-install.mjs',
]);
// Half of the requests are the same in each run, half are random. The run prints both seeds.
const fuzz = check('A mutated request revealed a fault, or took too long.', 900, [
  ...npm('fuzz', '--', '--requests', process.env.CI_EVERYTHING ? '10000' : '4000', '--seed', '1,random'),
]);

/** How many steps run at once. A step mostly uses one processor. */
const AT_ONCE = 2;

/** Starts steps in their order, AT_ONCE at a time. The output of a step is printed when it ends. */
async function inParallel(...steps) {
  const lane = async () => {
    for (let next = steps.shift(); next !== undefined; next = steps.shift()) {
      const { name, run } = next;
      let printed = '';
      await timed(name, () => run({ ...live, print: (piece) => (printed += piece) }));
      step(name);
      console.log(printed);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function demo(options) {
  step('npm run demo');
  const command = [...(options?.prefix ?? []), ...npm('demo')];
  await timed('npm run demo', () =>
    runCheck('The demo does not work.', command, { limit: 180, ...live, ...options }),
  );
}

async function secondRun() {
  const node24 = installNode24(join(work, 'node24'));
  const PATH = node24 === undefined ? process.env.PATH : node24 + delimiter + process.env.PATH;
  process.env.PATH = PATH;
  const user = ordinaryUser(work);
  try {
    await demo({ cwd: user.cwd, prefix: user.prefix });
    step(`The tests on ${node24 === undefined ? 'the same Node' : 'Node 24'}, as an ordinary user`);
    const command = [...user.prefix, ...secondTests(VITEST)];
    await timed('tests on Node 24', () => runTests('second', { command, cwd: user.cwd, ...live }));
  } finally {
    user.remove();
  }
}

try {
  await demo();
  step('npm test');
  await timed('npm test', () =>
    runTests('first', { command: ['npm', 'test', '--'], again: VITEST, ...live }),
  );
  // The longest first.
  await inParallel(long, browser, examples, fuzz, installed, roles, conformance, postgres15, site);
  step('npm run faults');
  await timed('faults', () => runFaults(['ci'], '1', live));
  await secondRun();
} catch (error) {
  findings.fail('The run stopped.', error.stack);
} finally {
  rmSync(work, { recursive: true, force: true });
}
findings.checkSkipped();
step('Durations');
console.log(durations.join('\n'));
step('Findings');
console.log(`${findings}`);
process.exitCode = findings.failed === 0 ? 0 : 1;
