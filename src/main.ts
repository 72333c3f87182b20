import { run } from './cli/run.js';

/** The entry point of the process. The exit code is that of the command. A service ends on a signal. */
process.exit(await run(process.argv.slice(2)));
