import type { JsonObject } from '../../../src/contract/index.js';
import type { SimulatedRequest } from '../../../src/contract/simulation/index.js';

/** Clients may escape more characters than necessary, such as the colon of the token. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** Parameters come as query, form or JSON (https://core.telegram.org/bots/api#making-requests). */
export function parametersOf({ query, headers, body }: SimulatedRequest): JsonObject {
  const fromQuery = Object.fromEntries(query);
  if (body.length === 0) return fromQuery;
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true)
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body.toString())) };
  try {
    return { ...fromQuery, ...(JSON.parse(body.toString()) as JsonObject) };
  } catch {
    return fromQuery;
  }
}
