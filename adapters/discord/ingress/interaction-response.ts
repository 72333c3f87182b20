import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import { z } from 'zod';
import type { JsonObject } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type */
const callback = { message: 4, unchanged: 6, choices: 8 } as const;
const kind = { component: 3, autocomplete: 4, modal: 5 } as const;
const EPHEMERAL = 1 << 6;

const schema = z.object({
  id: z.string(),
  token: z.string(),
  type: z.number(),
  message: z.unknown().optional(),
});

/**
 * Responds to a command or a button press. Without a response Discord shows it as failed after three seconds. Call it
 * after the interaction is stored. A late response, for example after a resume, is refused without effect.
 */
export async function respondToInteraction(
  rest: DiscordRest,
  dispatch: GatewayDispatchPayload,
): Promise<void> {
  const { data } = schema.safeParse(dispatch.d);
  if (data === undefined) return;
  const route = `/interactions/${data.id}/${data.token}/callback` as const;
  const body = interactionResponse(data.type, data.message !== undefined && data.message !== null);
  await rest.call({ method: 'POST', route, body, auth: false, write: false });
}

/** The visible response: a private note, or nothing. */
export function interactionResponse(type: number, aboutMessage: boolean): JsonObject {
  if (type === kind.autocomplete) return { type: callback.choices, data: { choices: [] } };
  if (type === kind.component || (type === kind.modal && aboutMessage)) return { type: callback.unchanged };
  return { type: callback.message, data: { content: 'Received.', flags: EPHEMERAL } };
}
