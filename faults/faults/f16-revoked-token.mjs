import { readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { until } from '../rig/waiting.mjs';

const MAX_AFTER = 50;

/** The token dies in the middle of a broadcast. Whoever goes on writing is banned for it. */
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
    await platform.ask('befall', 'revokeToken');
    const revokedAt = Date.now();
    const stopped = async () => (await connection(rig, platform)).status === 'error';
    await until(stopped, 240_000, 50);
    await until(() => rig.receiver.of('platform.error').length > 0, 240_000);
    const before = await platform.ask('counts');
    // Longer than a round of the sweeper, which must not wake the dead.
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
    verdict.bar('written before', counts.sent, counts.sent >= 1);
    verdict.struck('recipients not written to', recipients - counts.sent);
    verdict.bar('writes after the first refusal', refused, refused <= MAX_AFTER);
    verdict.bar('writes once it was noticed', later, later === 0);
    verdict.bar('the connection says so', status, status === 'error');
    const told = rig.receiver.of('platform.error').length;
    verdict.bar('a webhook says so', told, told === 1);
    const written = (await platform.ask('writes')).filter(({ committed }) => committed).length;
    verdict.bar('the count is what was written', `${counts.sent} of ${written}`, counts.sent === written);
    verdict.bar('nobody failed for it', counts.failed, counts.failed === 0);
  },
};

function connection(rig, platform) {
  return rig.api.call('GET', `/v1/openapi/platforms/connections/${platform.connectionId}`);
}
