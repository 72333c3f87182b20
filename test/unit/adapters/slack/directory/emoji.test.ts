import { readFileSync } from 'node:fs';
import emojiRegex from 'emoji-regex';
import { describe, expect, it } from 'vitest';
import { emojiNamed, slackName } from '../../../../../adapters/slack/directory/emoji.js';
import { EMOJI_NAMES } from '../../../../../adapters/slack/directory/emoji-names.gen.js';
import { readEmoji } from '../../../../../src/core/messages/emoji.js';

describe('Emoji by the names of Slack', () => {
  it('match the package that they are generated from', async () => {
    const script = '../../../../../scripts/emoji-names.mjs';
    const { emojiTable } = (await import(script)) as { emojiTable: () => string };
    expect(readFileSync('adapters/slack/directory/emoji-names.gen.ts', 'utf8')).toBe(emojiTable());
  });

  it('round-trip without exception, and are recognised as emoji by the core', () => {
    const all = EMOJI_NAMES.split(',').map((entry) => entry.split(' ')[0] ?? '');
    expect(all.length).toBeGreaterThan(1_800);
    const odd = all.filter((emoji) => emojiNamed(slackName(emoji) ?? '') !== emoji);
    expect(odd).toEqual([]);
    expect(all.filter((emoji) => readEmoji(emoji) === undefined)).toEqual([]);
  });

  it('keep their skin tone', () => {
    for (const emoji of ['👍🏻', '👍🏿', '☝🏽', '🧑🏾‍🚀', '🧑🏼‍🤝‍🧑🏼', '🏋🏽‍♀️'])
      expect(emojiNamed(slackName(emoji) ?? '')).toBe(emoji);
    expect(emojiNamed('thumbsup::skin-tone-9')).toBe('👍');
    expect('👍🏽'.match(emojiRegex())).toEqual(['👍🏽']);
  });

  it('of one workspace keep their name', () => {
    expect(emojiNamed('party-parrot')).toBe(':party-parrot:');
    expect(slackName(':party-parrot:')).toBe('party-parrot');
    expect(slackName('no emoji')).toBeUndefined();
  });
});
