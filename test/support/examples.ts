import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';

export interface Example {
  /** The heading above it. */
  readonly title: string;
  /** A whole program: the beginning from the page, and the example. */
  readonly code: string;
  /** The output that the page states. */
  readonly prints: string | undefined;
}

const BLOCK =
  /^## (?<heading>.+)$|^```ts\n(?<code>[\s\S]*?)^```$(?:\n\n```text\n(?<prints>[\s\S]*?)^```$)?/gm;

/** The examples of a page. The first one is the beginning of all others. */
export function readExamples(page: string): Example[] {
  let title = '';
  const blocks: Example[] = [];
  for (const { groups = {} } of readFileSync(page, 'utf8').matchAll(BLOCK)) {
    if (groups.heading !== undefined) title = groups.heading;
    else blocks.push({ title, code: groups.code ?? '', prints: groups.prints });
  }
  const [start, ...others] = blocks;
  return others.map((example) => ({ ...example, code: `${start?.code}\n${example.code}` }));
}

const script = pathToFileURL(resolve('scripts/client-package.mjs')).href;

/** A folder with the packages `trunkline` and `@trunkline/client` installed, and with the example as `example.mjs`. */
export class ExampleFolder {
  private constructor(readonly path: string) {}

  static async create(): Promise<ExampleFolder> {
    const path = await mkdtemp(join(tmpdir(), 'trunkline-example-'));
    await mkdir(join(path, 'node_modules'));
    await symlink(resolve('.'), join(path, 'node_modules', 'trunkline'));
    await installClient(join(path, 'node_modules', '@trunkline', 'client'));
    return new ExampleFolder(path);
  }

  async put(example: Example): Promise<string> {
    const { code } = await transform(example.code, { loader: 'ts', format: 'esm' });
    const file = join(this.path, 'example.mjs');
    await writeFile(file, code);
    return file;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

async function installClient(folder: string): Promise<void> {
  const { bundleClient } = (await import(script)) as { bundleClient(folder: string): Promise<void> };
  await mkdir(folder, { recursive: true });
  await copyFile('packages/client/package.json', join(folder, 'package.json'));
  await bundleClient(join(folder, 'dist'));
}
