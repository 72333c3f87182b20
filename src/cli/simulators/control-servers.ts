import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ControlServer } from '../simulate/control.js';
import type { SimulatedPlatform } from './simulated-platforms.js';

const FILE = 'simulator-controls.json';

/** The data folder of a service with simulators, inside the data folder of the installation. */
export const simulatorsFolder = (dataDir: string): string => join(dataDir, 'simulators');

/** The control APIs of the simulators in this process. Their addresses are saved for `trunkline say`. */
export class ControlServers {
  readonly #servers: ControlServer[] = [];
  #file: string | undefined;

  /** Starts one control API per platform on a free loopback port. Resolves with the addresses by platform. */
  async start(
    platforms: readonly SimulatedPlatform[],
    dataDir: string,
  ): Promise<ReadonlyMap<string, string>> {
    const addresses = new Map<string, string>();
    for (const { platform, simulator } of platforms) {
      const server = new ControlServer(simulator);
      addresses.set(platform, await server.start(0));
      this.#servers.push(server);
    }
    this.#file = join(dataDir, FILE);
    await writeFile(this.#file, `${JSON.stringify(Object.fromEntries(addresses))}\n`, { mode: 0o600 });
    return addresses;
  }

  async stop(): Promise<void> {
    if (this.#file !== undefined) await rm(this.#file, { force: true });
    await Promise.all(this.#servers.map((server) => server.stop()));
  }
}

/** The saved addresses of a running service with simulators. Undefined when no such service runs. */
export async function readControlAddresses(
  dataDir: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
