import type { APIApplication } from 'discord-api-types/v10';
import { PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';

/** https://docs.discord.com/developers/events/gateway#list-of-intents */
const needed =
  (1 << 0) | // GUILDS
  (1 << 9) | // GUILD_MESSAGES
  (1 << 10) | // GUILD_MESSAGE_REACTIONS
  (1 << 11) | // GUILD_MESSAGE_TYPING
  (1 << 12) | // DIRECT_MESSAGES
  (1 << 13) | // DIRECT_MESSAGE_REACTIONS
  (1 << 14) | // DIRECT_MESSAGE_TYPING
  (1 << 15); // MESSAGE_CONTENT, privileged
const GUILD_MEMBERS = 1 << 1;
/** The application's flags for this intent, in full and for applications in few servers. */
const MAY_SEE_MEMBERS = (1 << 14) | (1 << 15);

/**
 * What to ask the gateway for. Who comes and goes is told only to applications that were given the right, and asking
 * without it is refused; message content is asked for in any case, since nothing works without it.
 */
export async function intentsOf(rest: DiscordRest, signal: AbortSignal): Promise<number> {
  const route = '/applications/@me';
  try {
    const { flags } = await rest.call<APIApplication>({ method: 'GET', route, signal, write: false });
    return (Number(flags ?? 0) & MAY_SEE_MEMBERS) === 0 ? needed : needed | GUILD_MEMBERS;
  } catch (error) {
    if (error instanceof PlatformError && error.problem.kind === 'rejected') return needed;
    throw error;
  }
}
