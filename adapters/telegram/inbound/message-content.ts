import type { Content } from '../../../src/contract/index.js';
import { spansOf } from '../formatting.js';
import { attachmentsOf } from './attachments.js';
import { describedText, serviceActionText } from './described-content.js';
import { type FormattedText, formattedText, joinTexts, plainText } from './formatted-text.js';
import { forwarded, quoteAbove } from './quotes.js';
import { richPlainText } from './rich-text.js';
import type { EntityPayload, MessagePayload } from './update.js';

/** Text or caption with attachments. Undefined for service messages and for kinds that the bridge cannot show. */
export function contentOf(message: MessagePayload, botHandle: string | undefined): Content | undefined {
  const attachments = attachmentsOf(message);
  const words = wordsOf(message, botHandle);
  if (words.text === '' && attachments.length === 0) return undefined;
  const { text, entities } = joinTexts([quoteAbove(message), forwarded(message, words)], '\n');
  return { text, spans: spansOf(text, entities), attachments };
}

/** The text. Without one: the description of what the message shows, with the caption below it. */
function wordsOf(message: MessagePayload, botHandle: string | undefined): FormattedText {
  const { text, entities } = addressed(message, botHandle);
  const written = formattedText(text ?? '', entities);
  if (message.text !== undefined) return written;
  const shown = joinTexts([describedText(message), serviceActionText(message)], '\n');
  const rich = shown.text === '' ? plainText(richPlainText(message.rich_message)) : shown;
  return joinTexts([rich, written], '\n');
}

interface Written {
  readonly text: string | undefined;
  readonly entities: readonly (EntityPayload | null)[];
}

/** Removes the bot's own handle from a command. In groups a command names its bot (`/help@our_bot`). */
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

/** Removes a range from the text. Entities that end inside the range are cut at its start. */
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
