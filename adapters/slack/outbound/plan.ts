import {
  type Button,
  type Capabilities,
  type Content,
  type DeleteOperation,
  type EditOperation,
  type JsonObject,
  type Operation,
  type PartKind,
  type PartStep,
  type Persona,
  type Plan,
  PlatformError,
  type ReactOperation,
  type RemoteMessageId,
  type RemotePart,
  type SendOperation,
} from '../../../src/contract/index.js';
import { slackName } from '../directory/emoji.js';
import { isMessageTs, type ThreadHint } from '../directory/threads.js';
import { renderParts, type TextPart } from './render-parts.js';

/** Plans the Web API calls of one neutral operation. */
export function planOperation(operation: Operation, capabilities: Capabilities): Plan {
  switch (operation.type) {
    case 'send':
      return planSend(operation, capabilities);
    case 'edit':
      return planEdit(operation, capabilities);
    case 'delete':
      return planDelete(operation);
    case 'react':
      return planReaction(operation, capabilities);
    case 'typing':
      return { steps: [], degradations: ['typing'] };
  }
}

/** A text that fits one message shares the message of the files. A longer text precedes the files. */
function planSend(operation: SendOperation, capabilities: Capabilities): Plan {
  const { to, content, replyToId, threadRootId, persona, buttons = [] } = operation;
  const { texts, files, degradations: lost } = rendered(content, capabilities);
  const thread = to.threadId === undefined ? replyHint(replyToId, threadRootId) : { thread_ts: to.threadId };
  // Slack threads do not nest.
  const outside =
    to.threadId !== undefined && threadRootId !== undefined && String(threadRootId) !== to.threadId;
  const degradations = outside ? [...lost, 'thread' as const] : lost;
  const how = { ...thread, ...personaOf(persona) };
  const uploads = files.map((file) => ({ ...file }));
  const [only] = texts;
  if (uploads.length > 0 && texts.length < 2)
    return { steps: [creation(0, 'media', { ...only, files: uploads, ...how })], degradations };
  const steps = texts.map((text, index) =>
    creation(index, 'text', {
      ...text,
      ...how,
      ...(index === texts.length - 1 && buttons.length > 0 ? { blocks: withButtons(text, buttons) } : {}),
    }),
  );
  if (uploads.length > 0) steps.push(creation(texts.length, 'media', { files: uploads, ...how }));
  return { steps, degradations };
}

/** A row below the text (docs.slack.dev/reference/block-kit/blocks/actions-block). Each needs an id of its own. */
function withButtons({ blocks }: TextPart, buttons: readonly Button[]): readonly JsonObject[] {
  const elements = buttons.map(({ label, value }, index) => ({
    type: 'button',
    action_id: `button-${index}`,
    text: { type: 'plain_text', text: label },
    value,
  }));
  return [...blocks, { type: 'actions', elements }];
}

/** Files stay in their message, and so does the text in that message. */
function planEdit({ to, content, parts, persona }: EditOperation, capabilities: Capabilities): Plan {
  const all = [...parts].sort((a, b) => a.index - b.index);
  const first = all[0];
  if (first === undefined) return { steps: [], degradations: ['edit'] };
  const { texts, degradations } = rendered(content, capabilities);
  const thread = to.threadId === undefined ? { same_thread_as: first.id } : { thread_ts: to.threadId };
  const how = personaOf(persona);
  const captioned = first.kind === 'media';
  const old = all.filter((part) => part.kind === 'text' || part === first);
  const shown = captioned && texts.length === 0 ? [noText] : texts;
  const next = Math.max(...all.map(({ index }) => index)) + 1;
  const steps = shown.map((text, place) => {
    const part = old[place];
    return part === undefined
      ? creation(next + place - old.length, 'text', { ...text, ...thread, ...how })
      : update(part, { ...text, ...how });
  });
  return { steps: [...steps, ...old.slice(shown.length).map(removal)], degradations };
}

/** The text of a message with files may be removed. Slack refuses an empty text, so a zero-width space replaces it. */
const noText: TextPart = { text: '\u200b', blocks: [] };

function planDelete({ parts }: DeleteOperation): Plan {
  return { steps: parts.map(removal), degradations: [] };
}

const isOnSlack = (id: RemoteMessageId): boolean => isMessageTs(id) || /^F[A-Z0-9]+$/.test(id);

/**
 * Whether the reaction is impossible: Slack has no name for the emoji, or the target is no message, such as a command.
 */
function planReaction({ messageId, emoji, change }: ReactOperation, { ops }: Capabilities): Plan {
  const name = ops.react === 'native' && isOnSlack(messageId) ? slackName(emoji) : undefined;
  if (name === undefined) return { steps: [], degradations: ['react'] };
  const payload = { reaction: name, change };
  return {
    steps: [{ action: 'signal', index: 0, kind: 'text', targetId: messageId, payload }],
    degradations: [],
  };
}

function rendered(content: Content, capabilities: Capabilities) {
  const result = renderParts(content, capabilities);
  if (result === undefined) throw refusal('too_long', 'The text needs too many Slack messages.');
  if (result.texts.length + result.files.length === 0)
    throw refusal('content_rejected', 'A Slack message needs text.');
  return result;
}

/** The message replied to determines the thread. Without one, the root does. */
function replyHint(replyToId?: RemoteMessageId, rootId?: RemoteMessageId): ThreadHint {
  const root = rootId === undefined ? {} : { thread_root: rootId };
  return replyToId === undefined ? root : { reply_to: replyToId, ...root };
}

function personaOf(persona: Persona | undefined): { persona?: JsonObject } {
  if (persona === undefined) return {};
  const { displayName, avatarUrl } = persona;
  const icon = avatarUrl === undefined ? {} : { icon_url: avatarUrl };
  return { persona: { username: displayName, ...icon } };
}

const creation = (index: number, kind: PartKind, payload: JsonObject): PartStep => ({
  action: 'create',
  index,
  kind,
  payload,
});

const update = ({ index, kind, id }: RemotePart, payload: JsonObject): PartStep => ({
  action: 'update',
  index,
  kind,
  targetId: id,
  payload,
});

const removal = ({ index, kind, id }: RemotePart): PartStep => ({
  action: 'remove',
  index,
  kind,
  targetId: id,
  payload: {},
});

function refusal(reason: 'too_long' | 'content_rejected', message: string): PlatformError {
  return new PlatformError({ kind: 'rejected', reason }, { dispatched: 'no', message });
}
