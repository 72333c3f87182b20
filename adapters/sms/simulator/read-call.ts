import type { SimulatedAnswer, SimulatedCall } from '../../../src/contract/simulation/index.js';

/** A call with its parameters in the query. */
export function read(call: string, query: URLSearchParams, run: () => SimulatedAnswer): SimulatedCall {
  const to = query.get('To');
  return { call, ...(to === null ? {} : { chatId: to }), request: Object.fromEntries(query), run };
}
