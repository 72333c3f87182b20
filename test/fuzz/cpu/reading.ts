import { Random } from '../random.js';
import type { InboundCase } from './inbound-case.js';
import { inboundCases } from './inbound-cases.js';
import { firstTooSlow, LIMIT_MS } from './measure.js';
import { type Repeat, repeats } from './repeats.js';

export interface ReadingOptions {
  readonly seed: number;
  /** The number of texts for each field of each payload. */
  readonly texts: number;
  /** Time limit for all of them. Fewer texts are read then. */
  readonly limitMs: number;
}

/**
 * Reads payloads of all platforms whose fields repeat one piece, at sizes up to the largest webhook, and measures the CPU time.
 * Returns one line for each text that was too slow or raised an error.
 */
export function readingProblems({ seed, texts, limitMs }: ReadingOptions): string[] {
  const endsAt = performance.now() + limitMs;
  const problems: string[] = [];
  const random = new Random(`reading ${seed}`);
  let read = 0;
  let slowest = { ms: 0, name: '' };
  // Each field gets a text before any field gets its next one.
  for (const one of Array.from({ length: texts }, () => inboundCases).flat()) {
    if (performance.now() > endsAt) break;
    const repeat = random.pick(repeats);
    const { problem, ms } = outcomeOf(one, repeat);
    if (problem !== undefined) problems.push(problem);
    if (ms > slowest.ms) slowest = { ms, name: `${one.name} with ${repeat.name}` };
    read += 1;
  }
  const all = `${read} texts in ${inboundCases.length} fields of payloads were read`;
  console.log(`${all}; the slowest took ${slowest.ms.toFixed(0)} ms: ${slowest.name}`);
  return problems;
}

function outcomeOf(one: InboundCase, repeat: Repeat): { readonly problem?: string; readonly ms: number } {
  try {
    const { slow, slowestMs } = firstTooSlow(one.largest, (bytes) => {
      const text = repeat.ofSize(bytes);
      return () => one.read(text);
    });
    if (slow === undefined) return { ms: slowestMs };
    const { ms, bytes } = slow;
    const taken = `${ms.toFixed(0)} ms of a processor for ${bytes} bytes, at most ${LIMIT_MS} ms`;
    return { problem: `${one.name} with ${repeat.name}: ${taken}`, ms: slowestMs };
  } catch (error) {
    return { problem: `${one.name} with ${repeat.name}: ${String(error)}`, ms: 0 };
  }
}
