import { once } from 'node:events';
import { type SimulatorName, simulatorNames, startSimulator } from '../../../adapters/simulators.js';
import { UsageError } from '../usage-error.js';
import { ControlServer } from './control.js';
import { pointing } from './pointing.js';

/** Options of the command, as typed. */
export interface SimulateOptions {
  readonly port?: string;
  readonly controlPort?: string;
  readonly seed?: string;
}

/** `trunkline simulate <platform>`: runs the simulator and its control API until a signal arrives. */
export async function simulateCommand(platform: string, options: SimulateOptions): Promise<number> {
  const { name, port, controlPort, seed } = optionsIn(platform, options);
  const simulator = await startSimulator(name, {
    ...(port === undefined ? {} : { port }),
    ...(seed === undefined ? {} : { firstNumber: seed }),
  });
  const control = new ControlServer(simulator);
  const controlUrl = await control.start(controlPort ?? 0);
  const { credentials, settings } = simulator.account();
  process.stdout.write(`${introduction(name, credentials, settings, controlUrl)}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await control.stop();
  await simulator.stop();
  return 0;
}

function introduction(
  name: SimulatorName,
  credentials: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>>,
  controlUrl: string,
): string {
  const rows = Object.entries({ ...settings, ...credentials }).map(
    ([field, value]) => `  ${field.padEnd(24)}${value}`,
  );
  return [
    `A simulated ${name} is running.`,
    '',
    ...rows,
    `  ${'control'.padEnd(24)}${controlUrl}`,
    '',
    pointing[name]({ ...settings, ...credentials }),
    '',
    `  curl ${controlUrl}/ledger                                  calls that it received`,
    `  curl ${controlUrl}/chats                                   chats of people`,
    `  curl ${controlUrl}/messages -d '{"chatId":"…","sender":"Ada","text":"Hello"}'   a person writes`,
    `  curl ${controlUrl}/faults -d '{"fault":{"kind":"status","status":502}}'   the next request fails`,
    '',
    'Ctrl+C ends it.',
  ].join('\n');
}

function optionsIn(platform: string, { port, controlPort, seed }: SimulateOptions) {
  const name = simulatorNames.find((known) => known === platform);
  if (name === undefined)
    throw new UsageError(`There is no simulator "${platform}". There are ${simulatorNames.join(', ')}.`);
  return {
    name,
    port: numberIn('port', port, 65_535),
    controlPort: numberIn('control-port', controlPort, 65_535),
    seed: numberIn('seed', seed, 1_000_000_000),
  };
}

function numberIn(name: string, value: string | undefined, maximum: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > maximum)
    throw new UsageError(`--${name} is a whole number from 1 to ${maximum}.`);
  return number;
}
