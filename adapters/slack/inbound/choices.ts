import { formatDate } from './dates.js';
import { blocksSchema, parseBlocks } from './from-blocks.js';
import { readMrkdwn, withEmoji } from './from-mrkdwn.js';
import type { Names } from './names.js';
import type { Action } from './payloads.js';
import { type ParsedText, Writer } from './text-writer.js';

const NOTHING_CHOSEN = '[nothing chosen]';
const BETWEEN = ', ';

/** The visible label of the pressed button or selected option. Empty only if the payload contains no text for it. */
export function chosenIn(action: Action, names: Names): ParsedText {
  const choices = choicesOf(action, names).filter(({ text }) => text !== '');
  if (choices.length > 0) return listed(choices);
  if (wasCleared(action)) return plain(NOTHING_CHOSEN);
  const fallback = [action.text?.text, action.value, action.action_id];
  return plain(fallback.find((one) => one !== undefined && one !== '') ?? '');
}

function choicesOf(action: Action, names: Names): readonly ParsedText[] {
  const { selected_option: option, selected_options: options = [] } = action;
  const labels = [option, ...options].map((one) => labelOf(one?.text, names, one?.value));
  const named = idsOf(action).map((id) => nameOf(id, names));
  const times = [
    action.selected_date,
    action.selected_time,
    formatDate(action.selected_date_time, '{date_num} {time}'),
  ].map((time) => plain(time ?? ''));
  const all = [...labels, ...named, ...times];
  if (all.some(({ text }) => text !== '')) return all;
  const { rich_text_value } = action;
  const written =
    rich_text_value === undefined ? [] : [parseBlocks(blocksSchema.parse([rich_text_value]), names)];
  return [labelOf(action.text, names, action.value), ...written];
}

/** A menu or checkbox group whose last selection was removed. */
function wasCleared({
  type = '',
  selected_options,
  selected_users,
  selected_channels,
  selected_conversations,
}: Action) {
  const lists = [selected_options, selected_users, selected_channels, selected_conversations];
  return lists.some((list) => list?.length === 0) || /select$|picker$/.test(type);
}

function idsOf(action: Action): string[] {
  const single = [action.selected_user, action.selected_channel, action.selected_conversation];
  const many = [action.selected_users, action.selected_channels, action.selected_conversations];
  return [...single, ...many.flatMap((list) => list ?? [])].filter((id) => id !== undefined);
}

function labelOf(label: Action['text'], names: Names, value = ''): ParsedText {
  if (label === undefined || label.text === '') return plain(value);
  return label.type === 'mrkdwn' ? readMrkdwn(label.text, names) : plain(withEmoji(label.text));
}

/** A conversation may be a channel or a person. */
function nameOf(id: string, names: Names): ParsedText {
  const user = names.user(id);
  if (user !== undefined || /^[UW]/.test(id)) {
    const text = `@${user ?? id}`;
    return { text, spans: [{ mark: 'mention', start: 0, end: text.length, value: id }] };
  }
  return plain(`#${names.channel(id) ?? id}`);
}

const plain = (text: string): ParsedText => ({ text, spans: [] });

function listed(choices: readonly ParsedText[]): ParsedText {
  const writer = new Writer();
  for (const each of choices) {
    if (writer.text !== '') writer.write(BETWEEN);
    writer.append(each);
  }
  return { text: writer.text, spans: writer.sortedSpans() };
}
