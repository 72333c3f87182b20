import { bundledSimulators } from '../../../adapters/simulators.js';
import type {
  SimulatedMessage,
  SimulatorOptions,
  SynchronousSimulator,
} from '../../contract/simulation/index.js';
import type { ConnectionRecord } from '../../core/platforms/record.js';
import type { LocalClient } from '../local-client.js';

/** A running simulator. Once it is connected, also the id of its connection. */
export interface SimulatedPlatform {
  readonly platform: string;
  /** Of the platform. */
  readonly name: string;
  readonly createCall: string;
  readonly simulator: SynchronousSimulator;
  connectionId: string;
}

export interface ConnectOptions {
  /** Settings of the connection in addition to those of the simulated account. */
  readonly settings?: (platform: string) => Readonly<Record<string, unknown>>;
}

/** The simulators of all bundled platforms in this process, and the connections of a service to them. */
export class SimulatedPlatforms {
  readonly all: SimulatedPlatform[] = [];

  /** Starts every simulator on its own port. */
  async start(options: (platform: string) => SimulatorOptions = () => ({})): Promise<void> {
    for (const { platform, name, createCall, create } of bundledSimulators) {
      const simulator = await create(options(platform));
      await simulator.start();
      this.all.push({ platform, name, createCall, simulator, connectionId: '' });
    }
  }

  /** Creates one connection per simulator. If the connection exists, updates it with the present address of the simulator. */
  async connect(client: LocalClient, { settings = () => ({}) }: ConnectOptions = {}): Promise<void> {
    const known = await client.all<ConnectionRecord>('/openapi/platforms/connections');
    for (const each of this.all) {
      const { platform, simulator } = each;
      const name = `Simulated ${each.name}`;
      // Earlier builds named connections after the id of the platform.
      const names = [name, `Simulated ${platform}`];
      const account = simulator.account();
      const body = {
        credentials: account.credentials,
        settings: { ...account.settings, ...settings(platform) },
      };
      const before = known.find((one) => one.platform === platform && names.includes(one.name));
      const connection =
        before === undefined
          ? await client.post<ConnectionRecord>(`/openapi/platforms/${platform}/connections`, {
              name,
              ...body,
            })
          : await client.patch<ConnectionRecord>(`/openapi/platforms/connections/${before.id}`, body);
      each.connectionId = connection.id;
      await simulator.setWebhook?.(connection.webhook_url);
    }
  }

  /** Writes the present credentials of the simulated account to its connection. */
  async restore({ simulator, connectionId }: SimulatedPlatform, client: LocalClient): Promise<void> {
    const { credentials } = simulator.account();
    await client.patch(`/openapi/platforms/connections/${connectionId}`, { credentials });
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map(({ simulator }) => simulator.stop()));
  }
}

/** The first group chat of a simulator. If there is none, its first chat. */
export function gatheringOf({ simulator }: SimulatedPlatform): { id: string; title: string } {
  const chats = simulator.chats();
  const chat = chats.find(({ kind }) => kind === 'group') ?? chats[0];
  if (chat === undefined) throw new Error(`The simulator of ${simulator.platform} has no chats.`);
  return chat;
}

/** The messages of a chat. A chat that has not been opened yet has none. */
export function seenIn({ simulator }: SimulatedPlatform, chatId: string): readonly SimulatedMessage[] {
  try {
    return simulator.messages(chatId);
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}
