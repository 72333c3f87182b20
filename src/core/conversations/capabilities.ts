import {
  type AttachmentType,
  type Capabilities,
  type CapabilityOp,
  capabilityLevels,
  capabilityOps,
  formats,
  type Level,
  type Mark,
  type MediaCapability,
  ops,
  remoteChatId,
  type TextUnit,
} from '../../contract/index.js';
import type { Caller } from '../access/caller.js';
import type { SendingConnections } from '../deliveries/ports.js';
import { attachmentTypes } from '../media/attachment.js';
import type { Platforms } from '../platforms/catalogue.js';
import { capabilitiesOf } from '../platforms/describe.js';
import type { ConversationKey } from './ports.js';
import type { ConversationCapabilitiesRecord, LinkRecord } from './record.js';
import type { ReadConversations } from './use-cases.js';

/** Reads the capabilities of a conversation: those of each link and those of all links combined. */
export class ReadCapabilities {
  constructor(
    private readonly conversations: ReadConversations,
    private readonly connections: SendingConnections,
    private readonly platforms: Platforms,
  ) {}

  /** Raises `not_found`. For a connection that is not live, the general capabilities of its platform are used. */
  async execute(caller: Caller, key: ConversationKey): Promise<ConversationCapabilitiesRecord> {
    const { id, links } = await this.conversations.get(caller, key);
    const known = links.flatMap((link) => {
      const capabilities = this.#capabilitiesOf(link);
      return capabilities === undefined ? [] : [{ link, capabilities }];
    });
    const outbound = known.filter(({ link }) => link.status === 'active' && link.direction !== 'inbound');
    return {
      conversation_id: id,
      links: known.map(({ link, capabilities }) => ({
        link_id: link.id,
        connection_id: link.connection_id,
        platform: link.platform,
        capabilities: capabilitiesOf(capabilities),
      })),
      combined: capabilitiesOf(combined(outbound.map(({ capabilities }) => capabilities))),
    };
  }

  #capabilitiesOf(link: LinkRecord): Capabilities | undefined {
    const live = this.connections.find(link.connection_id);
    return (
      live?.adapter.capabilities(remoteChatId(link.external_id)) ??
      this.platforms.find(link.platform)?.capabilities
    );
  }
}

const everything: MediaCapability = {
  mime: { '*/*': 'native' },
  max_bytes: null,
  caption_max: null,
  per_message: null,
};

/** The capabilities of a conversation without platforms. */
const unlimited: Capabilities = {
  text: { max: 10_000, unit: 'codepoint', formats: formats('native') },
  ops: ops('native'),
  media: Object.fromEntries(attachmentTypes.map((type) => [type, everything])),
  edit: { max_age_s: null, max_count: null, media: true },
  delete: { max_age_s: null, others: true },
  react: { per_user: null, allowed: null },
};

/** The weakest level and the smallest limit of all capabilities. Without any, everything is possible. */
export function combined(all: readonly Capabilities[]): Capabilities {
  const [first, ...others] = all;
  return first === undefined ? unlimited : others.reduce(weaker, first);
}

function weaker(a: Capabilities, b: Capabilities): Capabilities {
  const marks = Object.keys(a.text.formats) as Mark[];
  return {
    text: {
      ...shorter(a.text, b.text),
      formats: table(marks, (mark) => weakest(a.text.formats[mark], b.text.formats[mark])),
    },
    ops: table<CapabilityOp, Level>(capabilityOps, (op) => weakest(a.ops[op], b.ops[op])),
    media: weakerMedia(a.media, b.media),
    edit: a.edit &&
      b.edit && {
        max_age_s: smallest(a.edit.max_age_s, b.edit.max_age_s),
        max_count: smallest(a.edit.max_count, b.edit.max_count),
        media: a.edit.media && b.edit.media,
      },
    delete: a.delete &&
      b.delete && {
        max_age_s: smallest(a.delete.max_age_s, b.delete.max_age_s),
        others: a.delete.others && b.delete.others,
      },
    react: a.react &&
      b.react && {
        per_user: smallest(a.react.per_user, b.react.per_user),
        allowed: common(a.react.allowed, b.react.allowed),
      },
  };
}

/** Units ordered by the amount of text in one unit, the smallest first. */
const units: readonly TextUnit[] = ['byte', 'gsm7', 'utf16', 'codepoint'];

function weakest(a: Level, b: Level): Level {
  // Levels are ordered from best to worst. An unknown level has the index -1, so that the other one is used.
  return capabilityLevels.indexOf(a) >= capabilityLevels.indexOf(b) ? a : b;
}

function smallest(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}

type Text = Capabilities['text'];

/** With different units the smaller number is used. With equal numbers, the unit that holds less text is used. */
function shorter(a: Text, b: Text): { max: number | null; unit: TextUnit } {
  const least = smallest(a.max, b.max);
  const candidates = [a, b].filter(({ max }) => max === least).map(({ unit }) => unit);
  return { max: least, unit: units.find((unit) => candidates.includes(unit)) ?? a.unit };
}

function common(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null) return b;
  return b === null ? a : a.filter((emoji) => b.includes(emoji));
}

type Media = Capabilities['media'];

/** Types that only one of both supports are left out, because they cannot be sent to both. */
function weakerMedia(a: Media, b: Media): Media {
  const types = Object.keys(a).filter((type) => Object.hasOwn(b, type)) as AttachmentType[];
  return Object.fromEntries(
    types.map((type) => [type, weakerMedium(a[type] as MediaCapability, b[type] as MediaCapability)]),
  );
}

function weakerMedium(a: MediaCapability, b: MediaCapability): MediaCapability {
  const names = [...new Set([...Object.keys(a.mime), ...Object.keys(b.mime)])];
  return {
    mime: table(names, (name) => weakest(levelOf(a.mime, name), levelOf(b.mime, name))),
    max_bytes: smallest(a.max_bytes, b.max_bytes),
    caption_max: smallest(a.caption_max, b.caption_max),
    per_message: smallest(a.per_message, b.per_message),
  };
}

/** The level of a MIME type: its own entry, that of its family, or that of all types. Without an entry it is rejected. */
function levelOf(mime: MediaCapability['mime'], name: string): Level {
  return mime[name] ?? mime[`${name.split('/')[0]}/*`] ?? mime['*/*'] ?? 'rejected';
}

function table<Key extends string, Value>(
  keys: readonly Key[],
  value: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
}
