import { scopesOfRole } from '../access/roles.js';
import type { Log } from '../common/log.js';
import { roles } from '../sessions/record.js';
import type { ApprovalTry, ApprovalWork } from './chat-ports.js';

/** Maximum number of steps per run. Another job or the sweeper does the rest. */
const MAX_STEPS = 200;

/** The roles that may approve in the inbox. */
const DECIDING = roles.filter((role) => scopesOfRole(role).has('messages:write'));

/** Shows proposals in the staff chat and processes the buttons that people press there. */
export class RunApprovals {
  constructor(
    private readonly work: ApprovalWork,
    private readonly log: Log,
  ) {}

  /** Runs until nothing is due, or up to the maximum number of steps. */
  async run(): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const press = await this.work.processPress(DECIDING);
      const request = await this.work.processRequest();
      if (press === null && request === null) return;
      this.#logFailure(press, 'approval_press.failed');
      this.#logFailure(request, 'approval_request.failed');
    }
  }

  #logFailure(tried: ApprovalTry | null, event: string): void {
    if (tried !== null && tried.problem !== null)
      this.log.warn({ id: tried.id, problem: tried.problem }, event);
  }
}
