import type { Content } from '../../src/contract/index.js';
import { attachmentsOf } from './attachments.js';
import { spansOf } from './formatting.js';
import { richPlainText } from './rich-text.js';
import type { EntityPayload, MessagePayload } from './update.js';

/** Text or caption with attachments; undefined for service messages and kinds the bridge can't show. */
export function contentOf(message: MessagePayload, botHandle: string | undefined): Content | undefined {
  const attachments = attachmentsOf(message);
  const { text: written, entities } = addressed(message, botHandle);
  const text = written ?? describedText(message);
  if (text === '' && attachments.length === 0) return undefined;
  return { text, spans: spansOf(text, entities), attachments };
}

interface Written {
  readonly text: string | undefined;
  readonly entities: readonly (EntityPayload | null)[];
}

/** In groups a command names the bot that it is meant for (`/help@our_bot`); our own name says nothing more. */
function addressed(message: MessagePayload, botHandle: string | undefined): Written {
  const text = message.text ?? message.caption;
  const entities = (message.text === undefined ? message.caption_entities : message.entities) ?? [];
  if (text === undefined || botHandle === undefined) return { text, entities };
  const suffix = `@${botHandle}`.toLowerCase();
  return entities.reduceRight<Written>(
    (written, entity) => {
      if (entity?.type !== 'bot_command' || written.text === undefined) return written;
      const end = entity.offset + entity.length;
      const command = written.text.slice(entity.offset, end);
      return command.toLowerCase().endsWith(suffix) && command.length > suffix.length
        ? without(written as Written & { text: string }, end - suffix.length, end)
        : written;
    },
    { text, entities },
  );
}

/** The text without a piece of it; entities that end in the piece end before it. */
function without({ text, entities }: Written & { text: string }, start: number, end: number): Written {
  const moved = (at: number) => (at <= start ? at : Math.max(start, at - (end - start)));
  return {
    text: text.slice(0, start) + text.slice(end),
    entities: entities.map((entity) => {
      if (entity === null) return entity;
      const offset = moved(entity.offset);
      return { ...entity, offset, length: moved(entity.offset + entity.length) - offset };
    }),
  };
}

/** What has no text of its own and no file, in words. */
function describedText({ dice, poll, checklist, game, invoice, rich_message }: MessagePayload): string {
  if (dice !== undefined) return `${dice.emoji} ${dice.value}`;
  if (poll !== undefined) return listed(poll.question, poll.options);
  if (checklist !== undefined) return listed(checklist.title, checklist.tasks);
  const offer = game ?? invoice;
  if (offer !== undefined) return [offer.title, offer.description].filter(Boolean).join('\n');
  return richPlainText(rich_message);
}

const listed = (title: string, lines: readonly { readonly text: string }[]) =>
  [title, ...lines.map(({ text }) => `• ${text}`)].join('\n');
