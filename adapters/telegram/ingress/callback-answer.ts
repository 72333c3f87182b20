import type { Api } from 'grammy';
import { z } from 'zod';
import type { AdapterLog } from '../../../src/contract/index.js';
import { platformErrorOf } from '../client/errors.js';
import { clientSignal } from '../client/transport.js';

const press = z.object({ callback_query: z.object({ id: z.string() }) });

/**
 * Ends the progress indicator of a pressed button (#answercallbackquery). The update is stored before, so a failure has
 * no other effect.
 */
export async function answerCallback(
  api: Api,
  update: unknown,
  log: AdapterLog,
  signal: AbortSignal,
): Promise<void> {
  const parsed = press.safeParse(update);
  if (!parsed.success) return;
  try {
    await api.raw.answerCallbackQuery(
      { callback_query_id: parsed.data.callback_query.id },
      clientSignal(signal),
    );
  } catch (error) {
    if (!signal.aborted) log.info('callback.not_answered', { code: platformErrorOf(error, false).code });
  }
}
