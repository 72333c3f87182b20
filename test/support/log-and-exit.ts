import { createLog } from '../../src/app/log.js';

// A process that exits in the same turn in which it logs.
const log = createLog('info');
log.info({}, 'first');
log.info({}, 'last');
process.exit(0);
