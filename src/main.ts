import { mapStackTraces } from './cli/stack-traces.js';

mapStackTraces();
const { run } = await import('./cli/run.js');

/** The process. Its exit code is the command's; a service ends when a signal tells it to. */
process.exit(await run(process.argv.slice(2)));
