import type { Config } from '../../config.js';
import { UsageError } from '../usage-error.js';
import { readControlAddresses, simulatorsFolder } from './control-servers.js';

export interface SayOptions {
  readonly platform: string;
  readonly text: string;
  /** Name of the sender. */
  readonly from: string;
  /** Chat id on the platform. Default: the first group chat, or else the first chat. */
  readonly chat?: string;
}

interface Chat {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

const LIMIT_MS = 10_000;

/** Posts a message as a person on a simulated platform, and prints its id and its chat. */
export async function sayCommand({ dataDir }: Config, options: SayOptions): Promise<number> {
  const control = await controlOf(dataDir, options.platform);
  const chats = await call<Chat[]>(control, 'GET', '/chats');
  const chat =
    options.chat === undefined
      ? (chats.find(({ kind }) => kind === 'group') ?? chats[0])
      : chats.find(({ id }) => id === options.chat);
  if (chat === undefined) {
    const known = chats.map(({ id, title }) => `${id} (${title})`).join(', ');
    throw new UsageError(`There is no chat "${options.chat}" on ${options.platform}. There are ${known}.`);
  }
  const { id } = await call<{ id: string }>(control, 'POST', '/messages', {
    chatId: chat.id,
    sender: options.from,
    text: options.text,
  });
  process.stdout.write(
    `${options.from} wrote message ${id} in ${chat.title} (${options.platform} ${chat.id}).\n`,
  );
  return 0;
}

async function controlOf(dataDir: string, platform: string): Promise<string> {
  const addresses =
    (await readControlAddresses(simulatorsFolder(dataDir))) ?? (await readControlAddresses(dataDir));
  if (addresses === undefined)
    throw new Error(
      `No service with simulators runs on ${dataDir}. Start one with "trunkline start --simulators", or set DATA_DIR to its folder.`,
    );
  const control = addresses[platform];
  if (control === undefined)
    throw new UsageError(
      `There is no simulated "${platform}". There are ${Object.keys(addresses).join(', ')}.`,
    );
  return control;
}

async function call<T>(control: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${control}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  }).catch((cause: unknown) => {
    throw new Error(`The simulator at ${control} does not answer. Is the service still running?`, { cause });
  });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(`The simulator refused: ${answer.error}`);
  return answer;
}
