import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError, type RemoteChatId } from '../../../src/contract/index.js';
import { withoutScope } from '../client/scopes.js';
import type { SlackClient } from '../client/transport.js';

/** Slack shares files shortly after the upload. Nearly always this wait is enough. */
const WAITS_MS = [0, 200, 400, 800, 1_600];

const isFileId = (id: string): boolean => /^F[A-Z0-9]+$/.test(id);

/**
 * Finds the message that contains an uploaded file. Replies, reactions and edits need its `ts`. If Slack does not return
 * it in time, the file's id represents the message.
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

/** The `ts` of a part that is identified by a file id or by its own `ts`. */
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
  const { file } = await client
    .read((web) => web.files.info({ file: id }), signal)
    .catch(withoutScope('files:read'));
  const { public: open, private: closed } = file?.shares ?? {};
  return (open?.[chatId] ?? closed?.[chatId])?.find(({ ts }) => ts !== undefined)?.ts;
}

/** The ids of the files in a message. Empty if the app lacks permission or the message does not exist. */
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
