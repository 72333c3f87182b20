import { z } from 'zod';
import type { Envelope, JsonObject } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';

const numbered = z.looseObject({ update_id: z.number().int() });
const withChat = z.object({ chat: z.object({ id: z.number().int() }) });
const withMessage = z.object({ message: withChat });
const moving = z.object({ message: z.object({ migrate_to_chat_id: z.number().int() }) });
const withSender = z.object({ from: z.object({ id: z.number().int() }) });

/** The identity of the bot while it decodes updates. The handle is known after the first getMe. */
export interface Bot {
  readonly id: string;
  readonly handle: string | undefined;
}

/** The envelope of one update. Undefined if the payload is not an update. */
export function envelopeOf(update: unknown, { id, handle }: Bot): Envelope | undefined {
  const parsed = numbered.safeParse(update);
  if (!parsed.success) return undefined;
  return {
    dedupeKey: String(parsed.data.update_id),
    lane: laneOf(update as JsonObject),
    payload: update as JsonObject,
    context: {
      bot_id: id,
      ...(handle === undefined ? {} : { bot_handle: handle }),
      // Telegram does not send the time of a button press.
      ...('callback_query' in parsed.data ? { received_at: clock.date().toISOString() } : {}),
    },
  };
}

/** The ordering lane: the chat, whose order Telegram keeps; otherwise the person; otherwise the account. */
function laneOf(update: JsonObject): string {
  for (const body of Object.values(update)) {
    const inChat = withChat.safeParse(body);
    if (inChat.success) return String(inChat.data.chat.id);
    const onMessage = withMessage.safeParse(body);
    if (onMessage.success) return String(onMessage.data.message.chat.id);
    const bySender = withSender.safeParse(body);
    if (bySender.success) return `user:${bySender.data.from.id}`;
  }
  return 'account';
}

/** Whether the update says that a group became a supergroup. Later updates of the group arrive in another chat. */
export const isMove = (update: unknown): boolean => moving.safeParse(update).success;
