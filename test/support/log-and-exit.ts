import { createLog } from '../../src/app/log.js';

// A process that ends in the turn in which it says something.
const log = createLog('info');
log.info({}, 'first');
log.info({}, 'last');
process.exit(0);
