import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError, type RemoteChatId } from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';

/** Slack shares files some moments after it took them; by then nearly always. */
const WAITS_MS = [0, 200, 400, 800, 1_600];

const isFileId = (id: string): boolean => /^F[A-Z0-9]+$/.test(id);

/**
 * The message in which a file of ours stands. Its own `ts` is what replies, reactions and edits name, so that is looked
 * for; where Slack does not say it in time, the file's id stands for it.
 */
export async function messageOfFile(
  client: SlackClient,
  chatId: RemoteChatId,
  file: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const wait of WAITS_MS) {
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    const found = await shareIn(client, chatId, file, signal);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The `ts` of a part that is known by the id of a file or by its own. */
export async function tsOfPart(
  client: SlackClient,
  chatId: RemoteChatId,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return isFileId(id) ? shareIn(client, chatId, id, signal) : id;
}

async function shareIn(
  client: SlackClient,
  chatId: RemoteChatId,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { file } = await client.read((web) => web.files.info({ file: id }), signal);
  const { public: open, private: closed } = file?.shares ?? {};
  return (open?.[chatId] ?? closed?.[chatId])?.find(({ ts }) => ts !== undefined)?.ts;
}

/** The ids of the files in a message; none when the app may not look or there is no such message. */
export async function filesOfMessage(
  client: SlackClient,
  chatId: RemoteChatId,
  ts: string,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const { messages = [] } = await client.read(
      (web) => web.conversations.replies({ channel: chatId, ts, limit: 1, inclusive: true }),
      signal,
    );
    const files = messages.find((message) => message.ts === ts)?.files ?? [];
    return files.map(({ id }) => id).filter((id) => id !== undefined);
  } catch (error) {
    const kind = error instanceof PlatformError ? error.problem.kind : undefined;
    if (kind === 'rejected' || kind === 'misconfigured') return [];
    throw error;
  }
}
