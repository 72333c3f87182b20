import { SendPushes } from '../../src/core/notifications/run.js';
import { PushSender } from '../../src/core/notifications/sender.js';
import { createGuard, type Guard } from '../../src/outgoing/guard.js';
import { PostgresNotifications } from '../../src/store/notifications/notifications.js';
import { PostgresPushKeys } from '../../src/store/notifications/push-keys.js';
import { AesSecretBox } from '../../src/store/secrets/secret-box.js';
import { recordingLog } from './log.js';
import { signIn } from './oauth.js';
import { type TestDatabase, testDatabase } from './postgres.js';
import { type BrowserSubscription, PushService } from './push-service.js';

/** The pushes of a database, sent through the guarded client to the test's push service. */
export class PushStage {
  readonly log = recordingLog();
  readonly store: PostgresNotifications;
  readonly keys: PostgresPushKeys;
  private readonly pushes: SendPushes;

  private constructor(
    readonly database: TestDatabase,
    readonly service: PushService,
    private readonly guard: Guard,
  ) {
    this.store = new PostgresNotifications(database.pool);
    this.keys = new PostgresPushKeys(database.pool, new AesSecretBox(Buffer.alloc(32, 7)));
    const sender = new PushSender(this.keys, guard, () => 'https://desk.example');
    this.pushes = new SendPushes(this.store, this.store, sender, this.log);
  }

  static async open(): Promise<PushStage> {
    const [database, service] = await Promise.all([testDatabase(), PushService.start()]);
    const guard = createGuard({
      allowPrivateTargets: ['127.0.0.0/8'],
      ownAddress: () => undefined,
      ca: service.certificate,
    });
    return new PushStage(database, service, guard);
  }

  run(workspaceId: string) {
    return this.pushes.run(workspaceId, new AbortController().signal);
  }

  /** A member's browser that receives pushes. */
  async subscribed(
    workspaceId: string,
    member: string,
  ): Promise<BrowserSubscription & { readonly session: string }> {
    await signIn(this.database.pool, member);
    const { rows } = await this.database.pool.query<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [member],
    );
    const session = String(rows[0]?.id);
    const browser = this.service.browser();
    const owner = { session_id: session, workspace_id: workspaceId, user_id: member };
    await this.store.subscribe({ ...owner, endpoint: browser.endpoint, ...browser.keys });
    return { ...browser, session };
  }

  async close(): Promise<void> {
    await this.guard.close();
    await this.service.close();
    await this.database.drop();
  }
}
