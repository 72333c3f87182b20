import {
  type Capabilities,
  type Content,
  type JsonObject,
  MAX_PARTS,
  type Operation,
  type PartKind,
  type PartStep,
  type Plan,
  PlatformError,
  type RemoteMessageId,
  type RemotePart,
  splitContent,
} from '../../../src/contract/index.js';

/** Converts one operation to writes. Every write contains the data that a real platform would receive. */
export function planSandbox(operation: Operation, capabilities: Capabilities): Plan {
  return {
    steps: stepsOf(operation, capabilities),
    degradations: operation.to.threadId === undefined ? [] : ['thread'],
  };
}

function stepsOf(operation: Operation, capabilities: Capabilities): readonly PartStep[] {
  switch (operation.type) {
    case 'send':
      return partsOf(operation.content, capabilities).map((part, index) =>
        create(part, index, operation.replyToId, operation.automatic),
      );
    case 'edit':
      return editSteps(partsOf(operation.content, capabilities), operation.parts);
    case 'delete':
      return operation.parts.map(remove);
    case 'react':
      return [signal('react', { emoji: operation.emoji, change: operation.change }, operation.messageId)];
    case 'typing':
      return [signal('typing', { state: operation.state })];
  }
}

function partsOf(content: Content, { text: { max, unit } }: Capabilities): readonly Content[] {
  const parts = splitContent(content, max, unit);
  if (parts.length <= MAX_PARTS) return parts;
  throw new PlatformError(
    { kind: 'rejected', reason: 'too_long' },
    { dispatched: 'no', message: `The text needs more than ${MAX_PARTS} sandbox messages.` },
  );
}

/** Edits existing parts, adds missing ones and removes superfluous ones. */
function editSteps(contents: readonly Content[], existing: readonly RemotePart[]): readonly PartStep[] {
  const shown = contents.map((content, index): PartStep => {
    const part = existing[index];
    return part === undefined
      ? create(content, index)
      : { action: 'update', index, kind: kindOf(content), targetId: part.id, payload: payloadOf(content) };
  });
  return [...shown, ...existing.slice(contents.length).map(remove)];
}

function create(content: Content, index: number, replyToId?: RemoteMessageId, automatic = false): PartStep {
  const reply = index === 0 && replyToId !== undefined ? { reply_to: replyToId } : {};
  return {
    action: 'create',
    index,
    kind: kindOf(content),
    payload: { ...payloadOf(content), ...reply, ...(automatic ? { automatic } : {}) },
  };
}

function remove({ index, kind, id }: RemotePart): PartStep {
  return { action: 'remove', index, kind, targetId: id, payload: {} };
}

function signal(name: string, fields: JsonObject, targetId?: RemoteMessageId): PartStep {
  return {
    action: 'signal',
    index: 0,
    kind: 'text',
    ...(targetId === undefined ? {} : { targetId }),
    payload: { signal: name, ...fields },
  };
}

function kindOf({ text, attachments: [first, ...others] }: Content): PartKind {
  if (text !== '' || first === undefined) return 'text';
  const isAlike = others.every(({ type }) => type === first.type);
  return isAlike && (first.type === 'location' || first.type === 'contact') ? first.type : 'media';
}

function payloadOf({ text, spans, attachments }: Content): JsonObject {
  return {
    text,
    spans: spans.map((span) => ({ ...span })),
    attachments: attachments.map(({ type, url, name, latitude, longitude }) => ({
      type,
      url,
      name,
      latitude,
      longitude,
    })),
  };
}
