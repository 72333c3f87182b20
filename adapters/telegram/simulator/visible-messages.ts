import type { SimulatedMessage } from '../../../src/contract/simulation/index.js';
import type { StoredMessage, TelegramState } from './state.js';

/** The messages of a chat as people see them. */
export function visibleMessagesIn(state: TelegramState, chatId: string): readonly SimulatedMessage[] {
  return state.get(chatId).messages.map((message) => {
    const { id, from, text, replyToId, edited, deleted, file, sentAt } = message;
    return {
      id: String(id),
      chatId,
      sender: from.first_name,
      own: from.id === state.bot.id,
      text,
      ...(replyToId === undefined ? {} : { replyToId: String(replyToId) }),
      edited,
      deleted,
      ...(file === undefined ? {} : { files: [file] }),
      reactions: reactionsOn(message),
      ...locationOf(message),
      ...buttonsOf(message),
      sentAt: sentAt * 1000,
    };
  });
}

/** Each emoji once. */
function reactionsOn({ reaction, reactionsOfPeople }: StoredMessage): readonly string[] {
  const all = [...(reactionsOfPeople?.values() ?? []), ...(reaction === undefined ? [] : [reaction])];
  return [...new Set(all)];
}

/** The data of the button with this label; the label where the message has no such button. */
export function dataOf(message: StoredMessage, label: string): string {
  const button = message.markup?.inline_keyboard.flat().find(({ text }) => text === label);
  return button !== undefined && 'callback_data' in button ? button.callback_data : label;
}

function buttonsOf({ markup }: StoredMessage): Pick<SimulatedMessage, 'buttons'> {
  const labels = markup?.inline_keyboard.flat().flatMap((button) => {
    return 'callback_data' in button ? [button.text] : [];
  });
  return labels === undefined || labels.length === 0 ? {} : { buttons: labels };
}

function locationOf({ extra }: StoredMessage): Pick<SimulatedMessage, 'location'> {
  const location = extra?.location ?? extra?.venue?.location;
  if (location === undefined) return {};
  return { location: { latitude: location.latitude, longitude: location.longitude } };
}
