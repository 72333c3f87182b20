import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import {
  failure,
  type Handler,
  nothing,
  ok,
  onMessage,
  type Request,
  type StoredMessage,
} from './answers.js';
import { type Channel, GUILD } from './shapes.js';
import type { DiscordState } from './state.js';

const MAX_REACTIONS = 20;
const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F)(?:\p{Emoji_Modifier}|\u200D(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F))*$/u;

type OnEmoji = (channel: Channel, stored: StoredMessage, name: string) => SimulatedAnswer;

/** The REST routes of reactions. */
export function reactionHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  const onEmoji = (act: OnEmoji): Handler =>
    onMessage((channel, stored, request: Request) => {
      const name = readEmoji(state, request.emoji);
      return name === undefined ? failure(400, 10014, 'Unknown Emoji') : act(channel, stored, name);
    });
  const own =
    (added: boolean): OnEmoji =>
    (channel, stored, name) => {
      if (added && !stored.reactions.has(name) && stored.reactions.size >= MAX_REACTIONS)
        return failure(400, 30010, 'Maximum number of reactions reached (20)');
      state.react(channel, stored, state.self, name, added);
      return done;
    };
  const message = '/channels/:id/messages/:id/reactions';
  return {
    [`PUT ${message}/:emoji/@me`]: onEmoji(own(true)),
    [`DELETE ${message}/:emoji/@me`]: onEmoji(own(false)),
    [`GET ${message}/:emoji`]: onEmoji((_channel, stored, name) => {
      const people = [...(stored.reactions.get(name) ?? [])].map((id) => state.userById(id));
      return ok(people.filter((user) => user !== undefined));
    }),
    [`DELETE ${message}/:emoji`]: onEmoji((channel, stored, name) => {
      const [shown = '', id = null] = name.split(':');
      stored.reactions.delete(name);
      state.emit('MESSAGE_REACTION_REMOVE_EMOJI', {
        ...placeOf(channel, stored),
        emoji: { id, name: shown },
      });
      return done;
    }),
    [`DELETE ${message}`]: onMessage((channel, stored) => {
      stored.reactions.clear();
      state.emit('MESSAGE_REACTION_REMOVE_ALL', placeOf(channel, stored));
      return done;
    }),
  };
}

const done: SimulatedAnswer = { ...nothing, committed: true };

const placeOf = (channel: Channel, { message }: StoredMessage) => ({
  channel_id: channel.id,
  message_id: message.id,
  ...(channel.kind === 'direct' ? {} : { guild_id: GUILD }),
});

/** The reactions of a message as it is read, without the field when there are none. */
export function reactionsOf(state: DiscordState, { reactions }: StoredMessage): object {
  const counted = [...reactions].map(([form, people]) => {
    const [name = '', id = null] = form.split(':');
    const count = people.size;
    const burst = { me_burst: false, burst_colors: [], count_details: { burst: 0, normal: count } };
    return { emoji: { id, name }, count, me: people.has(state.self.id), ...burst };
  });
  return counted.length === 0 ? {} : { reactions: counted };
}

/** Discord accepts fully qualified Unicode emoji, and custom emoji by name and id. */
function readEmoji(state: DiscordState, form: string): string | undefined {
  if (emoji.test(form)) return form;
  return state.emojis.some(({ name, id }) => form === `${name}:${id}`) ? form : undefined;
}
