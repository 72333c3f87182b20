// Runs the image, compose.yaml and the chart in real containers, on a Docker daemon of its own. Needs root, Linux and the
// packages below of Debian 12. The images of others are built from Debian's mirror and npm's registry.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lastWords, run, stopAll } from '../../examples/check/processes.mjs';
import { failed, section } from './checks.mjs';
import { checkCompose } from './compose.mjs';
import { startDocker } from './docker.mjs';
import { checkBuild, checkService } from './image.mjs';
import { buildStandIns } from './stand-ins.mjs';

/** The package of each program. */
const NEEDED = {
  dockerd: 'docker.io',
  'docker-compose': 'docker-compose',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
};

const absent = Object.keys(NEEDED).filter((program) => spawnSync('which', [program]).status !== 0);
if (process.getuid() !== 0 || absent.length > 0) {
  console.log(
    `Run this as root, after: apt-get install -y --no-install-recommends ${Object.values(NEEDED).join(' ')}`,
  );
  process.exit(1);
}

// The storage of Docker needs a file system of a disk.
const folder = await mkdtemp('/var/tmp/trunkline-containers-');
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => cleanUp().finally(() => process.exit(code)));
try {
  let docker;
  await section({
    'a Docker daemon starts': async () => {
      docker = await startDocker(join(folder, 'docker'));
    },
    'the images of others are built from packages': () => buildStandIns(docker, folder),
  });
  if (!failed()) await checkBuild(docker);
  if (!failed()) await checkService(docker);
  if (!failed()) await checkCompose(docker, folder);
} catch (error) {
  console.log(`FAIL ${error.stack}\n${lastWords()}`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
if (failed()) process.exitCode = 1;

/** Removes the daemon with its containers, images, volumes and networks. */
async function cleanUp() {
  await stopAll();
  await run('ip', ['link', 'delete', 'docker0']).catch(() => undefined);
  // Docker leaves the network namespace of the machine mounted here.
  await run('umount', [join(folder, 'docker/exec/netns/default')]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}
