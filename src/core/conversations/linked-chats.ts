import { type Adapter, type ChatSummary, PlatformError, remoteChatId } from '../../contract/index.js';
import type { Caller } from '../access/caller.js';
import { AdapterDefect } from '../adapters/hook-runner.js';
import { invalidField } from '../common/errors.js';
import type { Addresses } from '../platforms/addresses.js';
import type { ConnectionStore } from '../platforms/ports.js';
import type { AdapterFactory } from '../platforms/test-connection.js';
import type { CreateLinkBody } from './bodies.js';

/** Checks the chats that a client wants to link, with the platform if it can be asked. */
export class LinkedChats {
  constructor(
    private readonly addresses: Addresses,
    private readonly connections: Pick<ConnectionStore, 'find'>,
    private readonly adapters: AdapterFactory,
  ) {}

  /**
   * Returns the link with the chat id in its stored form, and with the title from the platform if the client gave none.
   * Raises `invalid_request` if the platform does not know the chat.
   *
   * The store handles an unknown connection. A platform that is unavailable or cannot look up chats does not prevent
   * the link: its first message shows whether the chat exists.
   */
  async check(caller: Caller, link: CreateLinkBody, field: string): Promise<CreateLinkBody> {
    const connection = await this.connections.find(caller.workspaceId, link.connection_id);
    if (connection === undefined) return link;
    const { platform, enabled } = connection;
    const checked = { ...link, external_id: this.addresses.ofChat(platform, link.external_id, field) };
    if (!enabled) return checked;
    const title = await this.#title(connection.id, platform, checked.external_id, field);
    return title === undefined || link.title != null ? checked : { ...checked, title };
  }

  async #title(connectionId: string, platform: string, chatId: string, field: string) {
    try {
      return (await this.#find(connectionId, chatId))?.title;
    } catch (cause) {
      if (cause instanceof AdapterDefect) return undefined;
      if (!(cause instanceof PlatformError)) throw cause;
      const { problem, message, fix } = cause;
      if (problem.kind !== 'rejected' || problem.reason !== 'recipient_gone') return undefined;
      const advice = fix === undefined ? message : `${message} ${fix}`;
      throw invalidField(field, 'invalid_value', `is not a chat of this account on ${platform}. ${advice}`);
    }
  }

  async #find(connectionId: string, chatId: string): Promise<ChatSummary | undefined> {
    let adapter: Adapter | undefined;
    try {
      adapter = await this.adapters.once(connectionId);
      return await adapter?.findChat?.(remoteChatId(chatId));
    } finally {
      await adapter?.stop().catch(() => undefined);
    }
  }
}
