import type { DiscordEmbed, DiscordMessageContent, DiscordPoll } from './payloads.js';

const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;

/** A poll as people would tell it: the question, and each answer on a line of its own. */
export function pollText({ question, answers }: DiscordPoll): string {
  const lines = answers.map(({ poll_media: { text, emoji } }) => {
    const said = [emoji?.id ? undefined : emoji?.name, text].filter(Boolean).join(' ');
    return said === '' ? '' : `• ${said}`;
  });
  return joined([`📊 ${question.text ?? ''}`.trim(), ...lines]);
}

/** What an embed says, as Discord markdown. */
export function embedText({ author, title, url, description, fields, footer }: DiscordEmbed): string {
  const heading =
    title && url && /^https?:\/\//i.test(url) ? `**[${title}](${url})**` : title && `**${title}**`;
  const facts = (fields ?? []).slice(0, MAX_FIELDS).map(({ name, value }) => `**${name}**\n${value}`);
  return joined([author?.name, heading, description, ...facts, footer?.text]);
}

/** The line that the bridge's own posts by webhook carry in place of a reply. */
const OWN_QUOTE = /^\[↪ In reply to this message\]\(/;

/**
 * The embeds that belong to what is said. Discord makes embeds of type `rich` for apps only, and previews of links of any
 * type; a preview says nothing that its link does not lead to. Where nothing else is said, every embed counts.
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
