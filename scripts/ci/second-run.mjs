import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * The tests that run on Node 24 as well: those that depend on Node or the system, such as sockets, streams, processes, files and
 * the SDKs. CI_EVERYTHING=1 runs all tests.
 */
const AGAIN = {
  'test/unit': 'app cli client config http outgoing queue store watchdog',
  'test/contract': 'adapters/discord-gateway adapters/slack-gateway queue',
  'test/integration': 'media webhooks',
  'test/integration/store': 'database install',
  'test/e2e': 'client media-delivery',
  'test/long': 'adapter-packages cli/backup-streams embedded https start-and-end',
};

/** The command of the second run of the tests. */
export function secondTests(vitest) {
  const projects = ['unit', 'contract', 'integration', 'e2e', 'long'].flatMap((name) => ['--project', name]);
  const again = Object.entries(AGAIN).flatMap(([folder, names]) =>
    names.split(' ').map((name) => join(folder, name)),
  );
  return [...vitest, ...projects, ...(process.env.CI_EVERYTHING ? [] : again)];
}

/** Installs Node 24 into `folder` and returns its `bin` folder; undefined if npm has none for this machine. */
export function installNode24(folder) {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', '--prefix', folder, ...quiet, `${name}@24`], { stdio: 'inherit' });
    return join(folder, 'node_modules', name, 'bin');
  } catch {
    return undefined;
  }
}
