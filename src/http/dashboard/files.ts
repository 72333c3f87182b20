import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DashboardFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Absent if compression does not make the file smaller. */
  readonly gzip?: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** The build is in `dist/dashboard`, for the sources as well as for the compiled code in `dist/src`. */
function buildFolder(): string {
  const path = import.meta.url.endsWith('.ts') ? '../../../dist/dashboard/' : '../../../dashboard/';
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * All files of the built dashboard by their path below `/dashboard/`, with compressed versions. Undefined when there is no
 * build. A checkout without development dependencies then serves only the API and the sign-in pages.
 */
export async function readDashboard(
  folder = buildFolder(),
): Promise<ReadonlyMap<string, DashboardFile> | undefined> {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const entries = await readdir(folder, { recursive: true });
  const names = new Set(entries.map((name) => name.replaceAll('\\', '/')));
  const read = async (name: string): Promise<[string, DashboardFile]> => {
    const plain = await readFile(join(folder, name));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    if (!names.has(`${name}.gz`)) return [name, { type, plain }];
    return [name, { type, plain, gzip: await readFile(join(folder, `${name}.gz`)) }];
  };
  return new Map(await Promise.all([...names].filter((name) => extname(name) in TYPES).map(read)));
}
