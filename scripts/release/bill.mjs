// The bill of materials (CycloneDX) of an installation of the package.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { v5 as uuidOf } from 'uuid';

const OUTPUT_BYTES = 2 ** 26;

/**
 * Lists the packages that npm installs with this one, for all systems, and those whose code is in the bundle of the dashboard.
 * Two runs on the same sources and the same `date` (YYYY-MM-DD) give the same bill. The dashboard must be built.
 */
export async function makeBill(root, date) {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const bundled = JSON.parse(await readFile(join(root, 'dist/dashboard/licenses.json'), 'utf8'));
  const bill = await asNpmSees(root, shipped(manifest, bundled));
  bill.metadata.component.name = manifest.name;
  bill.metadata.timestamp = `${date}T00:00:00.000Z`;
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill.components), uuidOf.URL)}`;
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const missing = bundled.map(({ name, version }) => `${name}@${version}`).filter((id) => !listed.has(id));
  if (missing.length > 0) throw new Error(`The bill of materials lacks ${missing.join(', ')}.`);
  return bill;
}

/**
 * The manifest with the libraries of the bundle as dependencies and without development dependencies. `npm sbom --omit dev` omits
 * packages that are needed by both (npm 11), and does not know the bundle.
 */
function shipped({ name, version, license, description, ...manifest }, bundled) {
  const development = Object.entries(manifest.devDependencies);
  const inBundle = development.filter(([library]) => bundled.some((each) => each.name === library));
  return {
    ...{ name, version, license, description },
    dependencies: { ...manifest.dependencies, ...Object.fromEntries(inBundle) },
    optionalDependencies: manifest.optionalDependencies,
    // The other overrides concern packages that are not in this manifest.
    overrides: Object.fromEntries(
      Object.entries(manifest.overrides).filter(([, to]) => typeof to === 'string'),
    ),
  };
}

async function asNpmSees(root, manifest) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-bill-'));
  const npm = (...args) =>
    promisify(execFile)('npm', [...args, '--package-lock-only'], { cwd: folder, maxBuffer: OUTPUT_BYTES });
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await copyFile(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
    // Removes all other packages from the lock file.
    await npm('install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund');
    return JSON.parse((await npm('sbom', '--sbom-format', 'cyclonedx')).stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
