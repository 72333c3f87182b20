// The platform's SDK in a loop: the highest rate that it allows.
import { Api } from 'grammy';
import { answer } from '../support/answering.mjs';

answer({}, async ({ account, addresses, concurrency, text }) => {
  const api = new Api(account.credentials.bot_token, { apiRoot: account.settings.api_base_url });
  let next = 0;
  const startedAt = performance.now();
  const loop = async () => {
    for (let address = addresses[next++]; address !== undefined; address = addresses[next++]) {
      await api.sendMessage(address, text);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { seconds: (performance.now() - startedAt) / 1000 };
});
