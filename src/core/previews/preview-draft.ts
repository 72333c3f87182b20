import { gsm7Length, remoteChatId } from '../../contract/index.js';
import type { Caller } from '../access/caller.js';
import type { RenderPreview } from '../broadcasts/dry-run.js';
import { AppError } from '../common/errors.js';
import type { ConversationKey } from '../conversations/ports.js';
import type { LinkRecord } from '../conversations/record.js';
import type { ReadConversations } from '../conversations/use-cases.js';
import type { SendingConnections } from '../deliveries/ports.js';
import { refusalOf } from '../deliveries/send/plan-refusal.js';
import { planTask } from '../deliveries/send/plan-task.js';
import { placesOf } from '../deliveries/send/step-parts.js';
import type { PlannedTask } from '../deliveries/task.js';
import type { MessageRecord } from '../messages/record.js';
import type { ReadMessages } from '../messages/use-cases.js';
import type { Platforms } from '../platforms/catalogue.js';
import type { PreviewBody } from './bodies.js';
import { draftAttachments } from './draft-attachments.js';
import type { DraftPreviewRecord, LinkPreview } from './record.js';

const MAX_CHARACTERS = 10;

export interface PreviewServices {
  readonly conversations: ReadConversations;
  readonly messages: ReadMessages;
  readonly connections: SendingConnections;
  readonly platforms: Platforms;
  readonly renderPreview: RenderPreview;
  readonly publicUrl: () => string;
}

/** Previews a draft in each chat that would get it, with the plan of its delivery. Changes nothing. */
export class PreviewDraft {
  constructor(private readonly services: PreviewServices) {}

  /** Raises `not_found`. A reply to a message that no longer exists counts as no reply. */
  async execute(caller: Caller, key: ConversationKey, draft: PreviewBody): Promise<DraftPreviewRecord> {
    const { id, links } = await this.services.conversations.get(caller, key);
    const repliedTo = await this.#repliedTo(caller, id, draft);
    const outbound = links.filter(({ status, direction }) => status === 'active' && direction !== 'inbound');
    return {
      conversation_id: id,
      links: outbound.map((link) => ({
        link_id: link.id,
        connection_id: link.connection_id,
        platform: link.platform,
        title: link.title,
        ...this.#forecast(link, draft, repliedTo),
      })),
    };
  }

  async #repliedTo(caller: Caller, conversationId: string, { reply_to_id: id }: PreviewBody) {
    if (id == null) return undefined;
    try {
      const message = await this.services.messages.get(caller, id);
      return message.conversation_id === conversationId ? message : undefined;
    } catch (cause) {
      if (cause instanceof AppError && cause.code === 'not_found') return undefined;
      throw cause;
    }
  }

  #forecast(link: LinkRecord, draft: PreviewBody, repliedTo: MessageRecord | undefined): Forecast {
    const known = this.services.renderPreview(link.platform, draft.text, draft.content_type);
    const common = { billed: known.billed ?? null, outside_gsm7: this.#outsideGsm7(link, draft.text) };
    const connection = this.services.connections.find(link.connection_id);
    if (connection === undefined) {
      const { parts, degradations } = known;
      return { ...common, parts, degradations: [...degradations], refusal: null, is_planned: false };
    }
    const capabilities = connection.adapter.capabilities(remoteChatId(link.external_id));
    const task = draftTask(link, draft, repliedTo, this.services.publicUrl());
    try {
      const plan = planTask(task, { adapter: connection.adapter, capabilities }, link.external_id);
      const parts = plan.steps.flatMap(placesOf).length;
      const degradations = [...new Set(plan.degradations)];
      return { ...common, parts, degradations, refusal: null, is_planned: true };
    } catch (cause) {
      return { ...common, parts: 0, degradations: [], refusal: refusalOf(cause), is_planned: true };
    }
  }

  #outsideGsm7({ platform }: LinkRecord, text: string): string[] {
    if (this.services.platforms.find(platform)?.capabilities.text.unit !== 'gsm7') return [];
    const outside = new Set<string>();
    for (const character of text) {
      if (gsm7Length(character) === undefined) outside.add(character);
      if (outside.size === MAX_CHARACTERS) break;
    }
    return [...outside];
  }
}

type Forecast = Omit<LinkPreview, 'link_id' | 'connection_id' | 'platform' | 'title'>;

/** The task that sends a message of the API. Such a message has no sender whose name would be shown. */
function draftTask(
  link: LinkRecord,
  { text, content_type, files }: PreviewBody,
  repliedTo: MessageRecord | undefined,
  publicUrl: string,
): PlannedTask {
  const attachments = draftAttachments(files, publicUrl);
  return {
    operation: 'send',
    message: {
      id: link.id,
      category: 'conversational',
      text,
      content_type,
      attachments,
      spans: null,
      revision: 1,
    },
    link: { ...link, address: null },
    sender: null,
    parts: [],
    reply_to_external_id: repliedTo === undefined ? null : copyIn(link.id, repliedTo),
  };
}

/** The platform's id of a message in a chat, if the message has a copy there. */
function copyIn(linkId: string, { origin, deliveries }: MessageRecord): string | null {
  if (origin?.link_id === linkId) return origin.external_id;
  const parts = deliveries.find(({ link_id }) => link_id === linkId)?.parts ?? [];
  return parts.find(({ external_id }) => external_id !== null)?.external_id ?? null;
}
