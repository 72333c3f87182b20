import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve } from 'import-meta-resolve';
import type { ContainerModule } from 'inversify';
import { z } from 'zod';
import { ConfigurationError } from '../config.js';
import { contributionsOf, type PackagedAdapters } from '../connections/module.js';
import { type AdapterDefinition, adapterModule } from '../contract/index.js';
import type { Log } from '../core/common/log.js';
import type { RefusedAdapter } from '../core/platforms/catalogue.js';
import type { PackageWatch } from '../watchdog/start.js';

/** Configuration file next to the packages. It lists the packages to load. */
const CONFIG_FILE = 'trunkline.config.json';
const LOAD_LIMIT_MS = 10_000;
const MAX_ADAPTERS = 100;

const names = z.array(z.string().trim().min(1).max(1024)).max(MAX_ADAPTERS);
const configFile = z.strictObject({ $schema: z.string().optional(), adapters: names.default([]) });

/** Where packages are searched for, and overrides for tests. */
export interface PackageOptions {
  /** Packages named by the environment. */
  readonly adapters: readonly string[];
  /** The folder with trunkline.config.json and node_modules. */
  readonly folder: string;
  readonly log: Log;
  /** Entry point of the contract that adapters must share with this program. */
  readonly contract?: string;
  readonly limitMs?: number;
  /** Receives the path of a package's code before it runs, and may refuse the package. */
  readonly watch?: PackageWatch;
}

/** Loaded packages as modules for the container, and the packages that were refused. */
export interface LoadedPackages extends PackagedAdapters {
  readonly modules: readonly ContainerModule[];
}

/**
 * Loads the adapters that the file and the environment name. Each one is loaded separately: an adapter that can't be loaded is
 * refused and does not affect the others. Raises ConfigurationError when the file can't be parsed.
 */
export async function loadAdapterPackages(options: PackageOptions): Promise<LoadedPackages> {
  const wanted = [...new Set([...namesInFile(options.folder), ...options.adapters])];
  const results = await Promise.all(wanted.map((name) => load(name, options)));
  const packages = new Map<AdapterDefinition, string>();
  const modules: ContainerModule[] = [];
  for (const { name, definitions } of results) {
    for (const definition of definitions) {
      packages.set(definition, name);
      modules.push(adapterModule(definition));
    }
  }
  return { modules, packages, refused: results.flatMap(({ refused }) => refused ?? []) };
}

function namesInFile(folder: string): readonly string[] {
  const path = join(folder, CONFIG_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new ConfigurationError(`${CONFIG_FILE} can't be read: ${(error as Error).message}`);
  }
  const parsed = configFile.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data.adapters;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') || 'its content';
  throw new ConfigurationError(
    `${CONFIG_FILE} must be of the form {"adapters": ["trunkline-adapter-irc"]}; ${at}: ${issue?.message}`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`${CONFIG_FILE} is not valid JSON: ${(error as Error).message}`);
  }
}

interface Loaded {
  readonly name: string;
  readonly definitions: readonly AdapterDefinition[];
  readonly refused?: RefusedAdapter;
}

/** The reason why a package can't be used. Only the log contains the cause, because it may include paths. */
class UnusableError extends Error {}

async function load(name: string, options: PackageOptions): Promise<Loaded> {
  try {
    const url = locate(name, options.folder);
    shareContract(url, options.contract ?? new URL('../contract/index.js', import.meta.url).href);
    const refusal = options.watch?.refusalOf(name, releaseOf(url));
    if (refusal !== undefined) throw new UnusableError(refusal);
    options.watch?.located(name, url);
    const definitions = definitionsOf(await importWithin(url, options.limitMs ?? LOAD_LIMIT_MS));
    const platforms = definitions.map((definition) => String(Object(definition).platform));
    options.watch?.loaded(name, url, platforms);
    return { name, definitions };
  } catch (error) {
    const reason =
      error instanceof UnusableError ? error.message : 'It failed to load. The log has the cause.';
    options.log.warn({ adapter: name, err: error }, 'adapter.not_loaded');
    return { name, definitions: [], refused: { adapter: name, platform: undefined, reason } };
  }
}

/** A value that changes when another release of the file is installed. */
function releaseOf(url: string): string {
  const { mtimeMs, size } = statSync(fileURLToPath(url));
  return `${mtimeMs}:${size}`;
}

function locate(name: string, folder: string): string {
  try {
    const url = resolve(name, pathToFileURL(join(folder, CONFIG_FILE)).href);
    realpathSync(fileURLToPath(url));
    return url;
  } catch (cause) {
    throw new UnusableError(`It is not installed; run npm install ${name} where the service is started.`, {
      cause,
    });
  }
}

/**
 * Refuses a package that resolves to another copy of the contract. Two copies do not recognise each other's errors and secrets.
 */
function shareContract(url: string, own: string): void {
  let theirs: string;
  try {
    theirs = realpathSync(fileURLToPath(resolve('trunkline', url)));
  } catch {
    // An adapter that does not import the contract at run time may be installed anywhere.
    return;
  }
  if (theirs === realpathSync(fileURLToPath(own))) return;
  throw new UnusableError(
    'It imports another copy of trunkline than the one that runs. Start the copy next to it (npx trunkline start), and make trunkline a peer dependency of the package.',
    { cause: theirs },
  );
}

async function importWithin(url: string, limitMs: number): Promise<unknown> {
  const late = new AbortController();
  try {
    return await Promise.race([
      import(url),
      sleep(limitMs, undefined, { signal: late.signal }).then(() => {
        throw new UnusableError(`It was not loaded within ${limitMs / 1000} s.`);
      }),
    ]);
  } finally {
    late.abort();
  }
}

/** The default export must be a definition or a module that binds definitions. */
function definitionsOf(loaded: unknown): readonly AdapterDefinition[] {
  const exported: unknown = Object(loaded).default;
  if (typeof exported !== 'object' || exported === null) {
    throw new UnusableError('Its default export is neither an adapter definition nor a module.');
  }
  if (!isModule(exported)) return [exported as AdapterDefinition];
  const definitions = contributionsOf(exported);
  if (definitions.length === 0) throw new UnusableError('Its module contributes no adapter.');
  return definitions;
}

function isModule(exported: object): exported is ContainerModule {
  return 'load' in exported && typeof exported.load === 'function' && !('platform' in exported);
}
