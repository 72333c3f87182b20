import type { SimulatorOptions, SynchronousSimulator } from '../src/contract/simulation/index.js';

/** A platform's simulator, loaded on first use. */
export interface BundledSimulator {
  readonly platform: string;
  /** The name of the platform, for the names of its connections. */
  readonly name: string;
  /** Name, in the ledger, of the call that creates a message. */
  readonly createCall: string;
  create(options?: SimulatorOptions): Promise<SynchronousSimulator>;
}

/** The simulators of the bundled platforms. Only this file and `index.ts` list all platforms. */
export const bundledSimulators: readonly BundledSimulator[] = [
  {
    platform: 'telegram',
    name: 'Telegram',
    createCall: 'sendMessage',
    create: async (options) => new (await import('./telegram/simulator/index.js')).TelegramSimulator(options),
  },
  {
    platform: 'discord',
    name: 'Discord',
    createCall: 'POST /channels/:id/messages',
    create: async (options) => new (await import('./discord/simulator/index.js')).DiscordSimulator(options),
  },
  {
    platform: 'slack',
    name: 'Slack',
    createCall: 'chat.postMessage',
    create: async (options) => new (await import('./slack/simulator/index.js')).SlackSimulator(options),
  },
  {
    platform: 'sms',
    name: 'SMS',
    createCall: 'messages.create',
    create: async (options) => new (await import('./sms/simulator/index.js')).TwilioSimulator(options),
  },
];

/** The simulators by the names that `startSimulator` and `trunkline simulate` accept. */
interface SimulatorsByName {
  telegram: import('./telegram/simulator/index.js').TelegramSimulator;
  discord: import('./discord/simulator/index.js').DiscordSimulator;
  slack: import('./slack/simulator/index.js').SlackSimulator;
  twilio: import('./sms/simulator/index.js').TwilioSimulator;
}
export type SimulatorName = keyof SimulatorsByName;
export const simulatorNames: readonly SimulatorName[] = ['telegram', 'discord', 'slack', 'twilio'];

/** Starts a simulated platform in this process. `stop` ends it. The platform's own SDK works with it unchanged. */
export async function startSimulator<Name extends SimulatorName>(
  name: Name,
  options: SimulatorOptions = {},
): Promise<SimulatorsByName[Name]> {
  const platform = name === 'twilio' ? 'sms' : name;
  const found = bundledSimulators.find((each) => each.platform === platform);
  if (found === undefined)
    throw new Error(`There is no simulator "${name}". Say ${simulatorNames.join(', ')}.`);
  const simulator = await found.create(options);
  await simulator.start();
  return simulator as SimulatorsByName[Name];
}

export type {
  Fault,
  FaultRule,
  LedgerEntry,
  SimulatedChat,
  SimulatedMessage,
  SimulatedPost,
  SimulatorOptions,
  SynchronousSimulator,
} from '../src/contract/simulation/index.js';
