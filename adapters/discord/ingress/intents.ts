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
/** Application flags of this intent: for all applications, and for those in few servers. */
const MAY_SEE_MEMBERS = (1 << 14) | (1 << 15);

/**
 * The intents of the connection. The gateway refuses the members intent unless the application has it. Message content
 * is always requested, because nothing works without it.
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
