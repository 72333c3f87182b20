// The same bridge with the `chat` package: messages of a Telegram chat are posted to its Slack channel, with state in memory.
import { answer } from '../support/answering.mjs';

const [entry] = process.argv.slice(2);
const { Chat, createTelegramAdapter, createSlackAdapter, createMemoryState } = await import(entry);

let bot;

answer(
  {},
  async ({ telegram, slack, pairs }) => {
    const channels = new Map(pairs.map((pair) => [`telegram:${pair.telegram}`, `slack:${pair.slack}`]));
    bot = new Chat({
      userName: 'bridge',
      logger: 'silent',
      concurrency: 'concurrent',
      state: createMemoryState(),
      adapters: {
        telegram: createTelegramAdapter({
          botToken: telegram.credentials.bot_token,
          apiUrl: telegram.settings.api_base_url,
          mode: 'polling',
        }),
        slack: createSlackAdapter({
          botToken: slack.credentials.bot_token,
          signingSecret: slack.credentials.signing_secret ?? 'unused',
          apiUrl: `${slack.settings.api_base_url}/`,
        }),
      },
    });
    bot.onDirectMessage((thread, message) => {
      const channel = channels.get(thread.id);
      return channel && bot.channel(channel).post(message.text);
    });
    await bot.initialize();
    return {};
  },
  () => bot?.shutdown(),
);
