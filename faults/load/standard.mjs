import { judgePosts } from '../ledger/inbound.mjs';
import { judgeSends } from '../ledger/outbound.mjs';
import { judgeTraces } from '../ledger/traces.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from './people.mjs';
import { Sender } from './sender.mjs';

/** A delivery waits ten minutes, plus up to 10 %, between its third and its fourth try. */
const QUIET_LIMIT_MS = { short: 240_000, long: 900_000 };
/** Slack waits five minutes before its third retry, and then one minute. */
const HELD_LIMIT_MS = { short: 240_000, long: 600_000 };

/**
 * The load of most faults: clients send with Idempotency-Keys and people write in the same conversations while `causeFault` runs.
 * With `throughout`, the load lasts at least until `causeFault` ends. Afterwards nothing may be wrong.
 */
export async function underLoad(rig, { chats: each, messages, perSecond, throughout }, verdict, causeFault) {
  const chats = await rig.conversations(each);
  const [sender, people] = [new Sender(rig), new People()];
  let isOver = throughout !== true;
  const load = { count: messages, perSecond, lasts: () => !isOver };
  const loads = Promise.all([sender.run(chats, load), people.run(chats, load)]);
  const context = { chats, sender, people, spanMs: (messages / perSecond) * 1000 };
  await causeFault(context).finally(() => {
    isOver = true;
  });
  await loads;
  // Platforms redeliver events that were not accepted. Only events that never arrive are lost.
  await rig.stored('inbound', people.posts.length, HELD_LIMIT_MS[rig.length]);
  const seconds = await rig.quiet(QUIET_LIMIT_MS[rig.length]);
  const sends = await judgeSends(rig, sender.sends);
  verdict.nothingWrong('sends', sends);
  verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
  verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
  verdict.nothingWrong('traces', await judgeTraces(rig));
  verdict.accepted(sender.sends, Math.max(messages, sender.sends.length));
  verdict.criterion(
    'everything settled',
    seconds === undefined ? 'no' : `after ${seconds.toFixed(1)} s`,
    seconds !== undefined,
  );
  const { 409: _, ...others } = sender.answers;
  const odd = Object.keys(others).filter((status) => status !== '0' && status !== '503');
  verdict.criterion('responses other than 201, 409, 503 and none', odd.join(' ') || 'none', odd.length === 0);
  return { ...context, seconds, figures: sends.figures };
}
