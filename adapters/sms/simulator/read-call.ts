import type { SimulatedAnswer, SimulatedCall } from '../../../src/contract/simulation/index.js';

/** A call whose parameters stand in the address. */
export function read(call: string, query: URLSearchParams, run: () => SimulatedAnswer): SimulatedCall {
  const to = query.get('To');
  return { call, ...(to === null ? {} : { chatId: to }), request: Object.fromEntries(query), run };
}
