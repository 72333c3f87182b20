import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { AdapterHost } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
import type { ChannelInfo, Directory } from '../directory/directory.js';
import { type MentionKey, mentionsIn, namedFact } from '../inbound/mentions.js';
import { admissionIn, channelOf, envelopeOf, renameEvents, serverEvents } from './dispatch.js';
import type { Session } from './session.js';

type Author = Pick<Session, 'sessionId' | 'userId' | 'applicationId'> &
  Partial<Pick<Session, 'at' | 'missedSince'>>;
type Facts = Readonly<Record<string, string>>;

/** Number of mentioned channels that are requested per message. */
const MAX_LOOKUPS = 3;

/** Converts dispatches to stored envelopes, with the required facts about their channels. */
export class Intake {
  readonly #host: AdapterHost;
  readonly #directory: Directory;

  constructor(host: AdapterHost, directory: Directory) {
    this.#host = host;
    this.#directory = directory;
  }

  /**
   * Returns the work that stores a dispatch, or undefined for events that the bridge does not use. Call it in the order
   * of the dispatches.
   */
  take(dispatch: GatewayDispatchPayload, author: Author): (() => Promise<void>) | undefined {
    const at = clock.date().toISOString();
    // Runs before a deletion is recorded, because it needs the facts of the deleted channel.
    const facts = this.#factsNow(dispatch);
    const renamed = this.#directory.learn(dispatch);
    if (dispatch.t === 'GUILD_CREATE') return this.#admitted(dispatch, author, at);
    if (renameEvents.has(dispatch.t) && !renamed) return undefined;
    if (envelopeOf(dispatch, author, at) === undefined || isOutage(dispatch)) return undefined;
    return async () => {
      const envelope = envelopeOf(dispatch, author, at, facts ?? (await this.#ask(dispatch)));
      if (envelope !== undefined) await this.#host.receive(envelope);
    };
  }

  /** The bot may have been removed from the server before. This event adds it again, with the listed channels. */
  #admitted(dispatch: GatewayDispatchPayload, author: Author, at: string): (() => Promise<void>) | undefined {
    const admission = admissionIn(dispatch, author);
    if (admission === undefined) return undefined;
    const { id } = admission.d as unknown as { readonly id: string };
    const envelope = envelopeOf(admission, author, at, inChannels(this.#linkable(id)));
    return envelope && (() => this.#host.receive(envelope));
  }

  /** Channels of a server that may be chats of the bridge. */
  #linkable(server: string): [string, ChannelInfo][] {
    return this.#directory.knownIn(server, ['text', 'forum']);
  }

  /** Undefined if the facts have to be requested. Only server channels have relevant names and threads. */
  #factsNow(dispatch: GatewayDispatchPayload): Facts | undefined {
    const data = dispatch.d as unknown as Readonly<Record<string, unknown>>;
    // A server that the bot has left cannot be queried.
    if (dispatch.t === 'GUILD_DELETE') return inChannels(this.#linkable(String(data.id)));
    if (serverEvents.has(dispatch.t)) return undefined;
    const channel = channelOf(dispatch);
    if (channel === undefined || typeof data.guild_id !== 'string') return {};
    if (typeof data.parent_id === 'string' && dispatch.t.startsWith('THREAD_'))
      return { thread_of: data.parent_id };
    if (dispatch.t.startsWith('CHANNEL_')) return {};
    const known = this.#directory.known(channel);
    const parent = known?.parentId === undefined ? undefined : this.#directory.known(known.parentId);
    if (known === undefined || (known.parentId !== undefined && parent === undefined)) return undefined;
    const mentioned = mentionsIn(data);
    if (mentioned.some((key) => this.#isUnknown(key))) return undefined;
    return { ...factsOf(known, parent), ...this.#named(mentioned) };
  }

  async #ask(dispatch: GatewayDispatchPayload): Promise<Facts> {
    if (serverEvents.has(dispatch.t)) {
      const { guild_id } = dispatch.d as unknown as { readonly guild_id: string };
      const joined = dispatch.t === 'GUILD_MEMBER_ADD';
      const channels = await this.#directory.inServer(guild_id);
      return inChannels(channels.filter(([, { open }]) => open || !joined));
    }
    const known = await this.#directory.find(channelOf(dispatch) ?? '');
    const parent = known.parentId === undefined ? undefined : await this.#directory.find(known.parentId);
    const mentioned = mentionsIn(dispatch.d);
    // Missing names do not delay a message, and the number of requests is limited.
    for (const key of mentioned.filter((each) => this.#isUnknown(each)).slice(0, MAX_LOOKUPS))
      await this.#directory.find(key.slice(1)).catch(() => undefined);
    return { ...factsOf(known, parent), ...this.#named(mentioned) };
  }

  /** Roles are sent only at login. A channel can be requested. */
  #isUnknown(key: MentionKey): boolean {
    return key.startsWith('#') && this.#directory.known(key.slice(1)) === undefined;
  }

  #named(mentioned: readonly MentionKey[]): Facts {
    return namedFact(mentioned, (key) =>
      key.startsWith('#') ? this.#directory.known(key.slice(1))?.name : this.#directory.role(key.slice(2)),
    );
  }
}

const inChannels = (channels: readonly (readonly [string, ChannelInfo])[]): Facts => ({
  channels: channels.map(([id]) => id).join(','),
});

/** An unavailable server still exists. */
const isOutage = ({ t, d }: GatewayDispatchPayload): boolean =>
  t === 'GUILD_DELETE' && d.unavailable === true;

/** A thread belongs to its channel, which gives the chat its name. */
function factsOf(channel: ChannelInfo, parent: ChannelInfo | undefined): Facts {
  const title = channel.parentId === undefined ? channel.name : parent?.name;
  return {
    ...(title === undefined ? {} : { chat_title: title }),
    ...(channel.parentId === undefined ? {} : { thread_of: channel.parentId }),
  };
}
