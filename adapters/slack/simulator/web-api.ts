import type {
  AppsConnectionsOpenResponse,
  AuthTestResponse,
  ConversationsInfoResponse,
  ConversationsOpenResponse,
  UsersInfoResponse,
} from '@slack/web-api';
import type { SimulatedFile } from '../../../src/contract/simulation/index.js';
import { type Answer, type Arguments, failed } from './answers.js';
import { type Changes, Chat, personaIn, readBlocks } from './chat.js';
import type { Files } from './files.js';
import type { History } from './history.js';
import { Listings } from './listings.js';
import { Pins } from './pins.js';
import type { Reactions } from './reactions.js';
import { channelRecord, userRecord } from './records.js';
import { Views } from './views.js';
import { APP_ID, BOT_ID, BOT_USER, TEAM_ID, type Workspace } from './workspace.js';

/** The Web API methods that the adapter uses, for one workspace. */
export class WebApi {
  readonly #workspace: Workspace;
  readonly #changes: Changes;
  readonly #socketUrl: () => string;

  readonly #files: Files;

  readonly views = new Views();
  readonly methods: Readonly<Record<string, (args: Arguments) => Answer<object>>>;

  constructor(
    workspace: Workspace,
    changes: Changes,
    files: Files,
    reactions: Reactions,
    history: History,
    socketUrl: () => string,
  ) {
    this.#files = files;
    this.#workspace = workspace;
    this.#changes = changes;
    this.#socketUrl = socketUrl;
    const others = [
      new Chat(workspace, changes),
      reactions,
      history,
      new Listings(workspace),
      new Pins(workspace),
      this.views,
    ];
    this.methods = Object.assign({ ...this.#own }, ...others.map(({ methods }) => methods));
  }

  readonly #own: Readonly<Record<string, (args: Arguments) => Answer<object>>> = {
    'auth.test': () => this.#authTest(),
    'conversations.open': (args) => this.#open(args),
    'conversations.info': (args) => this.#info(args),
    'users.info': (args) => this.#user(args),
    'files.getUploadURLExternal': (args) => this.#announce(args),
    'files.completeUploadExternal': (args) => this.#share(args),
    'files.info': ({ file = '' }) => this.#files.info(file) ?? failed('file_not_found'),
    'files.delete': ({ file = '' }) => this.#removeFile(file),
    'apps.connections.open': () => this.#connectionsOpen(),
  };

  #authTest(): Answer<AuthTestResponse> {
    return {
      ok: true,
      url: 'https://simulated.slack.com/',
      team: 'Simulated',
      user: 'bridge',
      team_id: TEAM_ID,
      user_id: BOT_USER.id,
      bot_id: BOT_ID,
      is_enterprise_install: false,
    };
  }

  #open({ users = '' }: Arguments): Answer<ConversationsOpenResponse> {
    const user = this.#workspace.user(users);
    if (user === undefined) return failed('user_not_found');
    return { ok: true, channel: { id: this.#workspace.openDirect(user.id).id } };
  }

  #info({ channel = '' }: Arguments): Answer<ConversationsInfoResponse> {
    const found = this.#workspace.channel(channel);
    if (found === undefined) return failed('channel_not_found');
    return { ok: true, channel: channelRecord(found, this.#workspace) as never };
  }

  #user({ user = '' }: Arguments): Answer<UsersInfoResponse> {
    const found = this.#workspace.user(user);
    if (found === undefined) return failed('user_not_found');
    return { ok: true, user: userRecord(found) };
  }

  #announce({ filename = '', length = '', alt_txt }: Arguments): Answer<object> {
    if (filename === '' || !/^[1-9]\d*$/.test(length)) return failed('invalid_arguments');
    return this.#files.announce(filename, Number(length), alt_txt);
  }

  #share(args: Arguments): Answer<object> {
    const { channel_id: channel = '', files = '[]', thread_ts, initial_comment: comment = '' } = args;
    const target = this.#workspace.target(channel);
    if (typeof target === 'string') return failed(target);
    const ids = (JSON.parse(files) as { id: string }[]).map(({ id }) => id);
    const shared = new Map<string, SimulatedFile>();
    for (const id of ids) {
      const file = this.#files.get(id);
      if (file === undefined) return failed('file_not_found');
      shared.set(id, file);
    }
    const blocks = readBlocks(args);
    if (typeof blocks === 'string') return failed(blocks);
    const stored = this.#workspace.add({
      channel: target.id,
      author: BOT_USER,
      text: comment,
      files: shared,
      ...(blocks === undefined || comment !== '' ? {} : { blocks }),
      ...personaIn(args),
      ...(thread_ts === undefined ? {} : { threadTs: thread_ts }),
    });
    this.#changes.posted(stored);
    return this.#files.share(ids, stored);
  }

  #removeFile(id: string): Answer<object> {
    if (!this.#files.has(id)) return failed('file_not_found');
    const message = this.#files.remove(id);
    // A message without remaining content is deleted together with its last file.
    if (
      message !== undefined &&
      !message.deleted &&
      !message.files?.size &&
      message.text === '' &&
      !message.blocks
    ) {
      message.deleted = true;
      this.#changes.deleted(message);
    }
    return { ok: true };
  }

  #connectionsOpen(): Answer<AppsConnectionsOpenResponse> {
    return { ok: true, url: `${this.#socketUrl()}&app_id=${APP_ID}` };
  }
}
