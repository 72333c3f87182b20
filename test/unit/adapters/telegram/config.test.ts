import { expect, it } from 'vitest';
import { credentials } from '../../../../adapters/telegram/config.js';

it.each(['123456789:AAEhBOweik6ad9r_QXMENQjcrbGa', ' 7000000001:short ', '1:a', 'test'])(
  'the configuration accepts a bot token of any length, such as other Bot API servers issue: %s',
  (token) => {
    expect(credentials.parse({ bot_token: token }).bot_token).toBe(token.trim());
  },
);

it.each(['', '1:a/b', '1:a b', '1:é', 'a'.repeat(513)])(
  'the configuration refuses a bot token that no URL can contain: "%s"',
  (token) => {
    expect(credentials.safeParse({ bot_token: token }).success).toBe(false);
  },
);
