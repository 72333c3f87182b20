import {
  type ExecuteContext,
  type PartStep,
  PlatformError,
  type Receipt,
  remoteMessageId,
} from '../../../src/contract/index.js';
import type { Scopes } from '../client/scopes.js';
import type { SlackClient } from '../client/transport.js';
import { tsOfPart } from './file-messages.js';

/**
 * Errors that mean that the requested state already exists (docs.slack.dev/reference/methods/reactions.add,
 * reactions.remove).
 */
const DONE = new Set(['already_reacted', 'no_reaction']);

/** Adds or removes a reaction of the app. */
export async function react(
  { targetId, payload }: PartStep,
  { to, signal }: ExecuteContext,
  client: SlackClient,
  scopes: Scopes,
): Promise<Receipt> {
  const { reaction: name, change } = payload;
  if (targetId === undefined || typeof name !== 'string') throw refused('Slack has no such signal.');
  const timestamp = await tsOfPart(client, to.chatId, targetId, signal);
  if (timestamp === undefined) throw refused('The message does not exist on Slack any more.');
  const target = { channel: to.chatId, timestamp, name };
  try {
    await client.write<unknown>(
      (web) => (change === 'removed' ? web.reactions.remove(target) : web.reactions.add(target)),
      'method',
      signal,
    );
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.code === 'missing_scope') {
      scopes.deny('reactions:write');
      throw refused('The Slack app may not add reactions.', 'missing_scope');
    }
    if (!DONE.has(error.code ?? '')) throw error;
  }
  return { remoteId: remoteMessageId(targetId) };
}

/** A missing signal does not stop the connection. */
function refused(message: string, code?: string): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason: 'unsupported' },
    {
      dispatched: 'no',
      message,
      fix: 'Add the scope reactions:write to the app and install it again.',
      ...(code === undefined ? {} : { code }),
    },
  );
}
