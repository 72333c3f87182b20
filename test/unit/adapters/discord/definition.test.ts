import { describe, expect, it } from 'vitest';
import { discordDefinition } from '../../../../adapters/discord/definition.js';
import { discordModule } from '../../../../adapters/discord/module.js';
import { isSecret } from '../../../../src/contract/index.js';
import { RecordingHost } from '../../../support/adapter-host.js';

const shape = Object.entries((discordDefinition.credentials as unknown as { shape: object }).shape);

describe('the definition', () => {
  it('marks the token as secret and the public key as not', () => {
    expect(shape.map(([name, schema]) => [name, isSecret(schema)])).toEqual([
      ['bot_token', true],
      ['public_key', false],
    ]);
  });

  it('names the field that is wrong', () => {
    const wrong = discordDefinition.credentials.safeParse({ bot_token: '', public_key: 'x' });
    expect(wrong.error?.issues.map(({ path }) => path.join('.'))).toEqual(['bot_token', 'public_key']);
    expect(discordDefinition.credentials.safeParse({ bot_token: 't' }).success).toBe(true);
  });

  it('creates adapters that do nothing until they are called and have the declared capabilities', async () => {
    const host = new RecordingHost();
    host.fetch = () => Promise.reject(new Error('nobody asked'));
    const settings = { api_base_url: discordDefinition.defaultApiBaseUrl, ingress: 'gateway' as const };
    const adapter = await discordDefinition.create({ credentials: { bot_token: 't' }, settings }, host);
    expect(adapter.capabilities()).toEqual(discordDefinition.capabilities);
    const unsigned = new Request('https://example.com/hooks/discord/1', {
      method: 'POST',
      body: '{"type":1}',
    });
    // Without a public key no signature can be valid.
    expect((await adapter.handle?.(unsigned))?.status).toBe(401);
    expect(host.reports).toEqual([]);
    await adapter.stop();
    expect(discordModule).toBeDefined();
  });
});
