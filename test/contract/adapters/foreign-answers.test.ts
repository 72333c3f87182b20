import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { discordDefinition } from '../../../adapters/discord/definition.js';
import { slackDefinition } from '../../../adapters/slack/definition.js';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import {
  type Adapter,
  type AnyAdapterDefinition,
  PlatformError,
  plainContent,
  remoteChatId,
} from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';

interface Platform {
  readonly definition: AnyAdapterDefinition;
  readonly credentials: Record<string, string>;
  readonly settings?: Record<string, string>;
  readonly chat: string;
  /** The end of the address of a create. */
  readonly create: RegExp;
}

const platforms: Readonly<Record<string, Platform>> = {
  telegram: {
    definition: telegramDefinition as unknown as AnyAdapterDefinition,
    credentials: { bot_token: '1:token', webhook_secret: 'secret' },
    chat: '5',
    create: /\/sendMessage$/,
  },
  discord: {
    definition: discordDefinition as unknown as AnyAdapterDefinition,
    credentials: { bot_token: 'token' },
    chat: '5',
    create: /\/channels\/5\/messages$/,
  },
  slack: {
    definition: slackDefinition as unknown as AnyAdapterDefinition,
    credentials: { bot_token: 'xoxb-1', signing_secret: 'secret' },
    chat: 'C5',
    create: /\/chat\.postMessage$/,
  },
  sms: {
    definition: smsDefinition as unknown as AnyAdapterDefinition,
    credentials: { account_sid: 'AC1', auth_token: 'token' },
    settings: { from: '+15005550006' },
    chat: '+12025550143',
    create: /\/Messages\.json$/,
  },
};

let server: Server;
let adapter: Adapter;
const asked: string[] = [];

/** An adapter whose server gives this answer to everything. */
async function connect(
  { definition, credentials, settings = {} }: Platform,
  status: number,
  body: string,
): Promise<void> {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api_base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    credentials: definition.credentials.parse(credentials),
    settings: { ...settings, api_base_url, ingress: definition.ingress[0] },
  };
  adapter = await definition.create(config as never, new RecordingHost());
}
afterEach(async () => {
  await adapter.stop();
  server.closeAllConnections();
  server.close();
  asked.length = 0;
});

const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    (value) => value,
    (error: unknown) => error,
  );

function create({ chat }: Platform): Promise<unknown> {
  const to = { chatId: remoteChatId(chat) };
  const operation = { type: 'send', to, content: plainContent('Hello') } as const;
  const [step] = adapter.plan(operation, adapter.capabilities()).steps;
  if (step === undefined) throw new Error('The plan has no step.');
  return failureOf(adapter.execute(step, { to, key: 'ab'.repeat(16), signal: new AbortController().signal }));
}

describe.each(Object.keys(platforms))('an answer that is not from the platform %s', (name) => {
  const platform = platforms[name] as Platform;

  it.each([
    ...['', 'null', '[]', '{}', '7', '<html>', '{"ok":true}', '{"ok":false}', '{"ok":true,"result":{}}'],
    ...[
      '{"id":null}',
      '{"sid":null}',
      '{"ok":true,"ts":null}',
      '{"ok":false,"error_code":400,"description":null}',
    ],
  ])('leaves open whether a message was written, and names no account: %s', async (body) => {
    await connect(platform, 200, body);
    const error = await create(platform);
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ problem: { kind: 'unavailable' }, dispatched: 'unknown' });
    expect(asked.filter((url) => platform.create.test(url))).toHaveLength(1);
    // Twilio's answer may lack the id, because the SID of the account is known.
    if (name !== 'sms') expect(await failureOf(adapter.identify())).toBeInstanceOf(PlatformError);
  });

  it.each([301, 302, 303, 307, 308])(
    'wrote nothing if it leads elsewhere, and is not followed: %i',
    async (status) => {
      await connect(platform, status, '');
      const error = await create(platform);
      expect(error).toBeInstanceOf(PlatformError);
      expect(error).toMatchObject({ dispatched: 'no' });
      expect(asked).not.toContain('/elsewhere');
    },
  );
});
