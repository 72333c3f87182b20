import { run } from './cli/run.js';

/** The process. Its exit code is the command's; a service ends when a signal tells it to. */
process.exit(await run(process.argv.slice(2)));
