import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A file that changed more recently than this may change again without a new timestamp. */
const SETTLED_MS = 2_000;

/** The files below these folders of `root` for which `accepts` is true, as sorted paths relative to `root`. */
export function listFiles(root, folders, accepts) {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(accepts)
    .sort();
}

/** The files with their contents, and a fingerprint of both. */
export async function readFiles(root, paths) {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, bytes: await readFile(join(root, path)) })),
  );
  const hash = createHash('sha256');
  for (const { path, bytes } of files) hash.update(`${path} ${bytes.length}\n`).update(bytes);
  return { files, fingerprint: hash.digest('hex') };
}

/**
 * The fingerprint of `readFiles`. It depends on contents, because a copy of the tree, a checkout and a container image have
 * different timestamps. Reading all sources takes 0.4 s of CPU, so the file `memory` stores a fingerprint with its timestamps.
 * While no timestamp changes, the sources are not read.
 */
export async function fingerprintOf(root, paths, memory, settledMs = SETTLED_MS) {
  const times = timesOf(root, paths);
  const known = recall(memory);
  if (known !== undefined && known.times === times.digest) return known.fingerprint;
  const { fingerprint } = await readFiles(root, paths);
  if (Date.now() - times.newestMs > settledMs) keep(memory, { times: times.digest, fingerprint });
  return fingerprint;
}

/** Includes `ctime`, because a program can set `mtime` but not `ctime`. */
function timesOf(root, paths) {
  const hash = createHash('sha256');
  let newest = 0;
  for (const path of paths) {
    const { size, ino, mtimeNs, ctimeNs, ctimeMs } = statSync(join(root, path), { bigint: true });
    hash.update(`${path} ${size} ${ino} ${mtimeNs} ${ctimeNs}\n`);
    newest = Math.max(newest, Number(ctimeMs));
  }
  return { digest: hash.digest('hex'), newestMs: newest };
}

function recall(memory) {
  try {
    return JSON.parse(readFileSync(memory, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Without write access, the sources are read each time. */
function keep(memory, known) {
  const draft = `${memory}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(known));
    renameSync(draft, memory);
  } catch {
    // Reading the sources is slower but gives the same result.
  }
}
