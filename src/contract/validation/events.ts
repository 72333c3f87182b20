import { attachmentTypes, contentMarks } from '../content.js';
import { rejectionReasons } from '../errors.js';
import { authorities, type InboundEvent, type MessageEdited } from '../events.js';
import {
  type Check,
  fields,
  flag,
  id,
  is,
  list,
  maybe,
  number,
  object,
  oneOf,
  text,
  textOf,
  time,
  whole,
  within,
} from './check.js';

const MAX_REF_LENGTH = 2_048;

const chat = fields({
  id,
  threadId: maybe(id),
  threadIsChat: maybe(flag),
  kind: oneOf('direct', 'group', 'channel'),
  title: maybe(text),
});
const user = fields({
  id,
  displayName: maybe(text),
  handle: maybe(text),
  avatarUrl: maybe(text),
  locale: maybe(text),
  isBot: maybe(flag),
});
const attachment = fields({
  type: oneOf(...attachmentTypes),
  url: maybe(text),
  remoteRef: maybe(textOf(MAX_REF_LENGTH)),
  name: maybe(text),
  mimeType: maybe(text),
  sizeBytes: maybe(number),
  durationMs: maybe(number),
  altText: maybe(text),
  latitude: maybe(number),
  longitude: maybe(number),
  metadata: maybe(object),
});
const span = fields({ mark: oneOf(...contentMarks), start: whole, end: whole, value: maybe(text) });
const words = fields({ text, spans: list(span), attachments: list(attachment) });

/** The spans must be within the text and not empty. */
const content: Check = (value) => {
  const wrong = words(value);
  if (wrong !== undefined) return wrong;
  const checked = value as { text: string; spans: readonly { start: number; end: number }[] };
  const invalid = checked.spans.findIndex(({ start, end }) => start >= end || end > checked.text.length);
  return invalid < 0 ? undefined : `spans.${invalid}.end`;
};

const place = { chat, at: time, echo: maybe(flag) };
/** `sequence` is not checked here, because an invalid one is ignored. */
const change = { ...place, actor: maybe(user) };
const copy = { copyOf: maybe(fields({ chatId: id, messageId: id })) };

const authority = oneOf(...authorities);

/** A change must have an authority. With the authority `author` it must name a person. */
const named =
  (check: Check): Check =>
  (value) => {
    const wrong = check(value);
    if (wrong !== undefined) return wrong;
    const { authority: given, actor, sender } = value as Partial<MessageEdited>;
    if (authority(given) !== undefined) return 'authority';
    return given === 'author' && actor === undefined && sender === undefined ? 'actor' : undefined;
  };

const withdrawal = fields({ ...change, sender: maybe(user), reactionId: id });
const reaction = fields({
  ...{ ...change, messageId: id, sender: user },
  ...{ emoji: textOf(MAX_REF_LENGTH), change: oneOf('added', 'removed'), reactionId: maybe(id) },
});
const isWithdrawal = (event: Readonly<Record<string, unknown>>) =>
  event.change === 'removed' && event.messageId === undefined && event.reactionId !== undefined;

const checks: Readonly<Record<string, Check>> = {
  message: fields({
    ...{ ...place, ...copy, messageId: id, sender: user, content },
    ...{
      replyToId: maybe(id),
      editedAt: maybe(time),
      answered: maybe(flag),
      press: maybe(textOf(MAX_REF_LENGTH)),
    },
  }),
  message_edited: named(fields({ ...change, ...copy, messageId: id, sender: maybe(user), content })),
  message_deleted: named(fields({ ...change, messageId: id, sender: maybe(user) })),
  reaction: named((event) => (isWithdrawal(event as never) ? withdrawal(event) : reaction(event))),
  reactions_cleared: named(fields({ ...change, messageId: id, emoji: maybe(text) })),
  receipt: fields({
    ...{ ...place, messageId: id, reference: maybe(text) },
    status: oneOf('sent', 'delivered', 'read', 'failed'),
    failure: maybe(fields({ reason: oneOf(...rejectionReasons), code: maybe(text), message: text })),
  }),
  typing: fields({ ...place, sender: user, state: oneOf('started', 'stopped') }),
  location: fields({
    ...{ ...place, sender: user, latitude: within(-90, 90), longitude: within(-180, 180) },
    ...{ accuracy: maybe(number), heading: maybe(within(0, 360)) },
  }),
  chat_moved: fields({ ...place, toChatId: id, renumbered: maybe(flag) }),
  chat_renamed: fields({ ...place, title: text }),
  membership: fields({ ...place, user, change: oneOf('joined', 'left'), self: maybe(flag) }),
  consent: fields({ ...place, user, change: oneOf('opted_out', 'opted_in') }),
  gap: fields({ since: time, reason: text }),
  unsupported: fields({ what: text }),
} satisfies Record<InboundEvent['type'], Check>;

const kind = is((value) => typeof value === 'string' && Object.hasOwn(checks, value));

/** The first missing or invalid field of an event, as a dotted path. Undefined if the event conforms to the contract. */
export function wrongField(event: unknown): string | undefined {
  const { type } = Object(event) as { readonly type?: unknown };
  return kind(type) === undefined ? checks[type as string]?.(event) : 'type';
}
