import { expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { eventually, type Json } from '../support/api-client.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';
import { startService } from '../support/service.js';

it('A failed backup and a connection in error reach a webhook as events.', async () => {
  const telegram = new TelegramSimulator({ limits: 'none' });
  const receiver = await loopbackReceiver((_request, response) => response.end());
  const service = await startService();
  try {
    await telegram.start();
    const api = service.client();
    const events = ['service.*', 'platform.*'];
    await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events });
    const made = await api.must<Json>(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'Shop',
      ...telegram.account(),
    });
    const shown = () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${made.id}`);
    await eventually(shown, ({ status }) => status === 'connected');

    telegram.revokeToken();
    await expect(service.run('backup', `${service.dataDir}/no-such-folder/one.backup`)).rejects.toThrow();

    const received = () => receiver.received.map(({ body }) => JSON.parse(body) as Json);
    await expect.poll(received).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          event: 'service.backup_failed',
          data: expect.objectContaining({
            message: expect.stringMatching(/^A backup failed: .*no-such-folder/),
          }),
        }),
        expect.objectContaining({
          event: 'platform.error',
          data: expect.objectContaining({ id: made.id, status: 'error' }),
        }),
      ]),
    );
  } finally {
    await service.stop();
    await Promise.all([telegram.stop(), receiver.close()]);
  }
});
