import type { DiscordEmbed, DiscordMessageContent, DiscordPoll } from './payloads.js';

const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;

/** A poll as text: the question, then one answer per line. */
export function pollText({ question, answers }: DiscordPoll): string {
  const lines = answers.map(({ poll_media: { text, emoji } }) => {
    const said = [emoji?.id ? undefined : emoji?.name, text].filter(Boolean).join(' ');
    return said === '' ? '' : `• ${said}`;
  });
  return joined([`📊 ${question.text ?? ''}`.trim(), ...lines]);
}

/** The text of an embed as Discord markdown. */
export function embedText({ author, title, url, description, fields, footer }: DiscordEmbed): string {
  const heading =
    title && url && /^https?:\/\//i.test(url) ? `**[${title}](${url})**` : title && `**${title}**`;
  const facts = (fields ?? []).slice(0, MAX_FIELDS).map(({ name, value }) => `**${name}**\n${value}`);
  return joined([author?.name, heading, description, ...facts, footer?.text]);
}

/** The line that the bridge's own webhook posts contain in place of a reply. */
const OWN_QUOTE = /^\[↪ In reply to this message\]\(/;

/**
 * Selects the embeds that belong to the content. Only apps send embeds of type `rich`. Embeds of any type may be link
 * previews, which add nothing to their link. If a message has no other content, every embed counts.
 */
export function contentEmbeds(
  { content, embeds }: Pick<DiscordMessageContent, 'content' | 'embeds'>,
  { byApp, alone }: { readonly byApp: boolean; readonly alone: boolean },
): readonly DiscordEmbed[] {
  const all = (embeds ?? []).slice(0, MAX_EMBEDS);
  if (alone) return all;
  const words = content ?? '';
  return all.filter(({ type, url, description }) => {
    if (!byApp || (type ?? 'rich') !== 'rich' || OWN_QUOTE.test(description ?? '')) return false;
    return !(url && words.includes(url));
  });
}

const joined = (lines: readonly (string | null | undefined)[]): string =>
  lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
