// Many live connections of one adapter in one process, each with its own client, as in the service.
import { configOf } from '../../dist/src/testing/bench.js';
import { MemoryStore } from '../../dist/src/testing/memory-store.js';
import { ReferenceHost, Remains } from '../../dist/src/testing/reference-host.js';
import { answer } from '../support/answering.mjs';

const AT_ONCE = 5;
const [platform] = process.argv.slice(2);
const exported = await import(`../../dist/adapters/${platform}/definition.js`);
const [, definition] = Object.entries(exported).find(([name]) => /Definition$/.test(name));
const store = new MemoryStore();
const adapters = [];

async function open(account) {
  const connection = `connection-${adapters.length}`;
  const host = new ReferenceHost({
    webhookUrl: `https://bridge.example/hooks/${platform}/${connection}`,
    connection,
    store,
    remains: new Remains(),
    allowed: () => [account.settings.api_base_url],
  });
  const adapter = await definition.create(configOf({ definition }, account), host);
  host.adapter = adapter;
  adapters.push(adapter);
  await adapter.identify();
  await adapter.start();
}

answer(
  { pid: process.pid },
  async ({ account, count }) => {
    for (let n = 0; n < count; n += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, () => open(account)));
    }
    return { open: adapters.length };
  },
  () => Promise.all(adapters.map((adapter) => adapter.stop())),
);
