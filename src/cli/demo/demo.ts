import { play, STEPS, stageOptions } from './play.js';
import { Progress } from './progress.js';
import { Stage } from './stage.js';

const INTERRUPTED_CODE = 130;
const SHOWN_LINES = 15;

/** Demonstrates the main functions on the four simulators. Exit code 1 when a check fails. */
export async function demoCommand(): Promise<number> {
  const progress = new Progress(STEPS);
  const stage = new Stage(stageOptions(process.argv[1] ?? ''));
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'));
  });
  try {
    const ended = await Promise.race([play(stage, progress), interrupted]);
    if (ended === 'interrupted') {
      progress.line('\nInterrupted; cleaning up.');
      return INTERRUPTED_CODE;
    }
  } catch (error) {
    progress.check(false, error instanceof Error ? error.message : String(error));
  } finally {
    await stage.close();
  }
  return conclude(stage, progress);
}

function conclude(stage: Stage, progress: Progress): number {
  const took = Math.round(progress.elapsedMs / 1000);
  if (progress.missing.length === 0) {
    progress.line(`\nDone in ${took} s: every check holds.`);
    return 0;
  }
  progress.line(`\nDone in ${took} s, and this is missing:`);
  for (const fact of progress.missing) progress.line(`  - ${fact}`);
  const trouble = stage.troubles();
  if (trouble.length > 0) progress.line('\nThe service said:');
  for (const line of trouble.slice(-SHOWN_LINES)) progress.line(`  ${line}`);
  return 1;
}
