import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/contract/index.js';
import { type Arguments, failed, type OpenAnswer } from './answers.js';
import { APP_ID, BOT_ID, TEAM_ID } from './workspace.js';

/** docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const TRIGGER_LIFE_MS = 3_000;

/** Modals that an app opens in response to an action of a person. */
export class Views {
  readonly #triggers = new Map<string, number>();
  readonly #views = new Map<string, JsonObject>();

  readonly methods: Readonly<Record<string, (args: Arguments) => OpenAnswer>> = {
    'views.open': (args) => this.#open(args),
    'views.push': (args) => this.#open(args),
    'views.update': (args) => this.#update(args),
    'views.publish': (args) => this.#publish(args),
  };

  /** Creates a trigger id for a command or a button press. It can open one modal. */
  trigger(): string {
    const id = `${Date.now()}.${randomUUID()}`;
    this.#triggers.set(id, Date.now() + TRIGGER_LIFE_MS);
    return id;
  }

  /** An open view. */
  get(id: string): JsonObject | undefined {
    return this.#views.get(id);
  }

  #open({ trigger_id: trigger = '', view }: Arguments): OpenAnswer {
    const until = this.#triggers.get(trigger);
    if (until === undefined) return failed('invalid_trigger_id');
    this.#triggers.delete(trigger);
    if (until < Date.now()) return failed('expired_trigger_id');
    return this.#keep(`V${randomUUID().slice(0, 10).toUpperCase()}`, view, 'modal');
  }

  #update({ view_id = '', external_id, view }: Arguments): OpenAnswer {
    const named = [...this.#views].find(
      ([id, kept]) => id === view_id || (external_id && kept.external_id === external_id),
    );
    return named === undefined ? failed('not_found') : this.#keep(named[0], view, 'modal');
  }

  #publish({ user_id = '', view }: Arguments): OpenAnswer {
    return this.#keep(`VHOME${user_id}`, view, 'home');
  }

  #keep(id: string, source: string | undefined, type: 'modal' | 'home'): OpenAnswer {
    const view = viewIn(source, type);
    if (view === undefined) return failed('invalid_arguments');
    const kept: JsonObject = {
      ...{ private_metadata: '', callback_id: '', external_id: '', close: null, submit: null },
      ...{ clear_on_close: false, notify_on_close: false, previous_view_id: null },
      ...view,
      ...{ id, team_id: TEAM_ID, app_id: APP_ID, bot_id: BOT_ID, root_view_id: id },
      ...{ hash: `${Math.floor(Date.now() / 1000)}.${randomUUID().slice(0, 8)}`, state: { values: {} } },
    };
    this.#views.set(id, kept);
    return { ok: true, view: kept };
  }
}

function viewIn(source: string | undefined, type: 'modal' | 'home'): JsonObject | undefined {
  try {
    const view = JSON.parse(source ?? '') as JsonObject;
    const isTitled = type === 'home' || (view.title as JsonObject | undefined)?.type === 'plain_text';
    return view.type === type && Array.isArray(view.blocks) && isTitled ? view : undefined;
  } catch {
    return undefined;
  }
}
