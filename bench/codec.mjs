import { startChild } from './support/child.mjs';

const PLATFORMS = ['telegram', 'discord', 'slack', 'sms'];
const REQUIRED = 20_000;

/** Messages per second that each adapter decodes and plans on one core. */
export async function codec() {
  const lines = [];
  for (const platform of PLATFORMS) {
    const child = await startChild('codec', platform);
    const { perSecond } = await child.ask({});
    await child.stop();
    lines.push({
      what: `A message of ${platform} read from its envelope and planned for ${platform}, on one core`,
      ours: `${Math.round(perSecond)}/s`,
      limit: '–',
      figure: `${Math.round(perSecond)}/s`,
      required: `≥ ${REQUIRED}/s`,
      met: perSecond >= REQUIRED,
    });
  }
  return lines;
}
