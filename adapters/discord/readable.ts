import type { DiscordEmbed, DiscordPoll } from './payloads.js';

const MOST_EMBEDS = 10;
const MOST_FIELDS = 25;

/** A poll as people would tell it: the question, and each answer on a line of its own. */
export function pollText({ question, answers }: DiscordPoll): string {
  const lines = answers.map(({ poll_media: { text, emoji } }) => {
    const said = [emoji?.id ? undefined : emoji?.name, text].filter(Boolean).join(' ');
    return said === '' ? '' : `• ${said}`;
  });
  return joined([`📊 ${question.text ?? ''}`.trim(), ...lines]);
}

/** What an embed says, as Discord markdown. */
export function embedText(embeds: readonly DiscordEmbed[]): string {
  return embeds
    .slice(0, MOST_EMBEDS)
    .map(({ author, title, url, description, fields, footer }) => {
      const heading =
        title && url && /^https?:\/\//i.test(url) ? `**[${title}](${url})**` : title && `**${title}**`;
      const facts = (fields ?? []).slice(0, MOST_FIELDS).map(({ name, value }) => `**${name}**\n${value}`);
      return joined([author?.name, heading, description, ...facts, footer?.text]);
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

const joined = (lines: readonly (string | null | undefined)[]): string =>
  lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
