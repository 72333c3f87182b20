import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../app/version.js';
import { CONTRACT_VERSION } from '../../contract/index.js';
import { PLATFORM_ID, reservedPlatform } from '../../core/platforms/definition-shape.js';
import { packageRoot } from '../package-root.js';
import { UsageError } from '../usage-error.js';

const TEMPLATE = fileURLToPath(new URL('./template/', import.meta.url));
const DOT_FILES: Readonly<Record<string, string>> = { gitignore: '.gitignore' };

/** Writes a small, complete adapter that builds and passes the conformance kit. It is a starting point for changes. */
export async function newAdapter(platform: string, folder: string | undefined): Promise<number> {
  if (!PLATFORM_ID.test(platform)) {
    throw new UsageError(
      'A platform id has 2 to 32 characters of a-z, 0-9, _ and -, and begins with a letter.',
    );
  }
  await refuseTaken(platform);
  const name = `trunkline-adapter-${platform}`;
  const target = resolve(folder ?? name);
  if (existsSync(target) && (await readdir(target)).length > 0) {
    throw new UsageError(`${target} exists and is not empty.`);
  }
  await mkdir(target, { recursive: true });
  const words = await wordsFor(platform, realpathSync(target));
  const files = await readdir(TEMPLATE, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const from = join(file.parentPath, file.name);
    const plain = relative(TEMPLATE, from).replace(/\.txt$/, '');
    const to = join(target, DOT_FILES[plain] ?? plain);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, filled(await readFile(from, 'utf8'), words));
  }
  process.stdout.write(`${name} is written to ${relative('.', target) || '.'}.

  cd ${relative('.', target) || '.'}
  npm install
  npm test
`);
  return 0;
}

/** Refuses an id that the service would not load. */
async function refuseTaken(platform: string): Promise<void> {
  const { bundledDefinitions } = await import('../../../adapters/index.js');
  const isTaken = bundledDefinitions.some((bundled) => bundled.platform === platform);
  if (isTaken || platform === reservedPlatform)
    throw new UsageError(`The platform id ${platform} is taken. Choose another one.`);
}

/** The values of the placeholders between underscores. */
async function wordsFor(platform: string, target: string): Promise<Readonly<Record<string, string>>> {
  const root = packageRoot();
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return {
    platform,
    Name: platform.charAt(0).toUpperCase() + platform.slice(1).replaceAll(/[-_]+/g, ' '),
    version,
    contract: String(CONTRACT_VERSION),
    zod: dependencies.zod ?? '4',
    // Link the program that wrote the adapter, so that the adapter is tested with the contract that it will use.
    trunkline: `file:${relative(target, root)}`,
  };
}

function filled(text: string, words: Readonly<Record<string, string>>): string {
  return text.replaceAll(/__(\w+?)__/g, (whole, word: string) => words[word] ?? whole);
}
