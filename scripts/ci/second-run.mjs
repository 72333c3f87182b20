import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * What the run on Node 24 leaves out: tests that ask the interface and the database alone, which do not meet Node or the system.
 * CI_EVERYTHING=1 runs them too.
 */
const ASKED_ONCE = [
  'test/e2e/{access-matrix,analytics,broadcast*,calls,contacts,conversation*,dashboard-*,deliveries,description-replay}.test.ts',
  'test/e2e/{foreign-ids,lists,locations,message*,oauth-*,old-messages,requests,row-security,segments}.test.ts',
  'test/e2e/{sandbox,sandbox-inbound,templates,translations,tv,users,versions}.test.ts',
  'test/e2e/{blocked-merges,call-membership,changed-role,connected-account,direct-send,discord-threads,event-data}.test.ts',
  'test/e2e/{fair-shares,inbound-order,last-message,parallel-writes,phone-numbers,revocations}.test.ts',
  'test/e2e/{threads-on-platforms,webhook-failures,webhook-keys}.test.ts',
  'test/e2e/{access,agent-*,agents,apply,connections,hostile-requests,import-*,linked-chats,master-key-*}.test.ts',
  'test/e2e/{oauth,own-teams*,reference-page,result-checks}.test.ts',
  'test/integration/{access,analytics,bridge,broadcasts,calls,conversations,events,locations,rates,sessions}/**',
  'test/integration/{states,tv,users}/**',
  'test/integration/cli/{audit,backup,backup-refusals,backup-replace}.test.ts',
  'test/integration/store/!(database|functions|install|server-support).test.ts',
  'test/long/{any-order,cold,copies,demo,fair-platforms,helm-chart,long-slack-texts,proxies,quickstarts}.test.ts',
  'test/long/{release,rtc-processes,simulators,two-*,upgrade}.test.ts',
  'test/{architecture,regexps,contract/conformance/{durable,mutants,planted},unit/client/documentation}.test.ts',
];

/** The command of the second run of the tests. */
export function secondTests(vitest) {
  const projects = ['unit', 'contract', 'integration', 'e2e', 'long'].flatMap((name) => ['--project', name]);
  const excluded = process.env.CI_EVERYTHING ? [] : ASKED_ONCE.flatMap((glob) => ['--exclude', glob]);
  return [...vitest, ...projects, ...excluded];
}

/** Installs Node 24 into `folder` and returns its folder of programs; undefined where npm has none for this machine. */
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
