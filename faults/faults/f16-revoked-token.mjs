import { readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { until } from '../rig/waiting.mjs';

const MAX_AFTER = 50;

/** The token is revoked during a broadcast. Platforms ban clients that keep writing with it. */
export const f16 = {
  id: 'F16',
  title: 'Token revoked in the middle of a broadcast',
  lengths: { short: { recipients: 400 }, long: { recipients: 10_000 } },
  async run(rig, { recipients }, verdict) {
    const name = rig.random.pick(['telegram', 'discord', 'slack']);
    await rig.open({ platforms: { [name]: {} }, events: ['platform.*'] });
    const platform = rig.platforms[name];
    const broadcast = await startBroadcast(rig, platform, recipients);
    const at = rig.random.integer(recipients / 8, recipients / 2);
    await until(async () => (await platform.ask('writes')).length >= at, 240_000, 20);
    await platform.ask('disturb', 'revokeToken');
    const revokedAt = Date.now();
    const stopped = async () => (await connection(rig, platform)).status === 'error';
    await until(stopped, 240_000, 50);
    await until(() => rig.receiver.of('platform.error').length > 0, 240_000);
    const before = await platform.ask('counts');
    // Longer than a sweeper round, which must not restart the broadcast.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const after = await platform.ask('counts');
    const refused = (await platform.ask('writes')).filter(
      (write) => write.at >= revokedAt && !write.committed,
    ).length;
    const create = await platform.ask('createCall');
    const later = (after[create] ?? 0) - (before[create] ?? 0);
    const { status } = await connection(rig, platform);
    const { counts } = await readBroadcast(rig, broadcast);
    verdict.add(name, { recipients, written: counts.sent, refused });
    verdict.criterion('written before the revocation', counts.sent, counts.sent >= 1);
    verdict.happened('recipients not written to', recipients - counts.sent);
    verdict.criterion('writes after the first refusal', refused, refused <= MAX_AFTER);
    verdict.criterion('writes after the connection stopped', later, later === 0);
    verdict.criterion('connection status', status, status === 'error');
    const reports = rig.receiver.of('platform.error').length;
    verdict.criterion('platform.error webhooks', reports, reports === 1);
    const written = (await platform.ask('writes')).filter(({ committed }) => committed).length;
    verdict.criterion('sent count is correct', `${counts.sent} of ${written}`, counts.sent === written);
    verdict.criterion('failed recipients', counts.failed, counts.failed === 0);
  },
};

function connection(rig, platform) {
  return rig.api.call('GET', `/v1/openapi/platforms/connections/${platform.connectionId}`);
}
