import { f01 } from './faults/f01-kill-api.mjs';
import { f02 } from './faults/f02-kill-sender.mjs';
import { f03 } from './faults/f03-kill-receiver.mjs';
import { f04 } from './faults/f04-kill-anything.mjs';
import { f05 } from './faults/f05-flush-redis.mjs';
import { f06 } from './faults/f06-kill-redis.mjs';
import { f07 } from './faults/f07-redis-full.mjs';
import { f08 } from './faults/f08-slow-redis.mjs';
import { f09 } from './faults/f09-restart-postgres.mjs';
import { f10 } from './faults/f10-postgres-away.mjs';
import { f11 } from './faults/f11-disk-full.mjs';
import { f12 } from './faults/f12-locked-outbox.mjs';
import { f13 } from './faults/f13-platform-away.mjs';
import { f14 } from './faults/f14-drop-after-write.mjs';
import { f15 } from './faults/f15-rate-limits.mjs';
import { f16 } from './faults/f16-revoked-token.mjs';
import { f17 } from './faults/f17-blocked-recipients.mjs';
import { f18 } from './faults/f18-duplicate-events.mjs';
import { f19 } from './faults/f19-poison.mjs';
import { f20 } from './faults/f20-clock-jumps.mjs';
import { f21 } from './faults/f21-blocked-loop.mjs';
import { f22 } from './faults/f22-two-pollers.mjs';
import { f23 } from './faults/f23-discord-gateway.mjs';
import { f24 } from './faults/f24-slack-socket.mjs';
import { f25 } from './faults/f25-bad-receivers.mjs';
import { f26 } from './faults/f26-cancel-and-kill.mjs';
import { f27 } from './faults/f27-rolling-upgrade.mjs';
import { f28 } from './faults/f28-drain.mjs';
import { f29 } from './faults/f29-split-message.mjs';
import { f30 } from './faults/f30-soak.mjs';
import { f31 } from './faults/f31-pause-anything.mjs';
import { f32 } from './faults/f32-slow-creates.mjs';
import { f33 } from './faults/f33-down-mostly.mjs';

/** Every fault that can be run, in order. */
export const faults = [
  f01,
  f02,
  f03,
  f04,
  f05,
  f06,
  f07,
  f08,
  f09,
  f10,
  f11,
  f12,
  f13,
  f14,
  f15,
  f16,
  f17,
  f18,
  f19,
  f20,
  f21,
  f22,
  f23,
  f24,
  f25,
  f26,
  f27,
  f28,
  f29,
  f30,
  f31,
  f32,
  f33,
];

/** The faults that CI runs. */
const CI = ['F1', 'F2', 'F3', 'F5', 'F9', 'F14', 'F16', 'F18', 'F19', 'F26', 'F32', 'F33'];

/** Returns the faults with these names, or an error message. `all` and `ci` are sets of faults. */
export function choose(names) {
  if (names.includes('all')) return faults;
  const wanted = names.flatMap((name) => (name === 'ci' ? CI : [name.toUpperCase()]));
  const unknown = wanted.filter((name) => !faults.some(({ id }) => id === name));
  if (unknown.length > 0)
    return `Unknown fault: ${unknown.join(', ')}. Known faults: ${faults.map(({ id }) => id).join(', ')}.`;
  return faults.filter(({ id }) => wanted.includes(id));
}
