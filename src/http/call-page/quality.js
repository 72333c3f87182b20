// Shows how well each other participant is received, from the statistics of the connection.

const EVERY_MS = 2_000;
/** Share of lost packets and round-trip time in seconds above which people notice a lower quality. */
const FAIR = { loss: 0.02, rtt: 0.25 };
const POOR = { loss: 0.08, rtt: 0.5 };

/**
 * The quality between two samples: `good`, `fair`, `poor`, or `none` while nothing arrives.
 *
 * @public A test calls it in the page.
 */
export function levelOf(former, now) {
  const received = now.received - former.received;
  if (received <= 0) return 'none';
  const loss = lossBetween(former, now);
  const isWorse = (limit) => loss > limit.loss || now.rtt > limit.rtt;
  if (isWorse(POOR)) return 'poor';
  return isWorse(FAIR) ? 'fair' : 'good';
}

function lossBetween(former, now) {
  const lost = Math.max(0, now.lost - former.lost);
  const all = lost + Math.max(0, now.received - former.received);
  return all === 0 ? 0 : lost / all;
}

async function countsOf(connection) {
  const counts = { received: 0, lost: 0, rtt: 0 };
  for (const entry of (await connection.getStats()).values()) {
    if (entry.type === 'inbound-rtp') {
      counts.received += entry.packetsReceived ?? 0;
      counts.lost += entry.packetsLost ?? 0;
    } else if (entry.type === 'candidate-pair' && entry.nominated && entry.state === 'succeeded') {
      counts.rtt = entry.currentRoundTripTime ?? 0;
    }
  }
  return counts;
}

/**
 * Shows the quality of each peer until the returned function is called. `texts` has a text for each level and one for the
 * numbers.
 */
export function watchQuality(peers, texts) {
  const former = new WeakMap();
  const look = async () => {
    for (const { connection, figure } of peers.values()) {
      const now = await countsOf(connection);
      const before = former.get(connection);
      former.set(connection, now);
      if (before !== undefined) show(figure.querySelector('.quality'), before, now, texts);
    }
  };
  // A connection that was closed in the meantime has no statistics.
  const timer = setInterval(() => void look().catch(() => undefined), EVERY_MS);
  return () => clearInterval(timer);
}

function show(place, before, now, texts) {
  const level = levelOf(before, now);
  place.dataset.level = level;
  place.querySelector('.level').textContent = texts[level];
  const numbers = { rtt: Math.round(now.rtt * 1_000), loss: Math.round(lossBetween(before, now) * 100) };
  place.title = texts.numbers.replace('{rtt}', numbers.rtt).replace('{loss}', numbers.loss);
}
