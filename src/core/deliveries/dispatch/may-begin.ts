import { clock } from '../../../contract/clock.js';
import type { Log } from '../../common/log.js';
import type { DeliveryTask } from '../task.js';
import type { ConnectionRun } from './connection-run.js';

/** Whether the first write of a task may begin. The task may have been stopped since it was leased. */
export async function mayBegin(task: DeliveryTask, round: ConnectionRun, log: Log): Promise<boolean> {
  try {
    if (task.operation !== 'send') return true;
    // The sweeper expires it.
    if (Date.parse(task.expires_at) <= clock.now()) return false;
    return (await round.look.permits(task.delivery_id)) && (await round.openings.open(task));
  } catch (err) {
    log.warn({ err, delivery_id: task.delivery_id, connection_id: task.connection_id }, 'attempt.put_off');
    return false;
  }
}
