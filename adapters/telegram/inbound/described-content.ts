import { type FormattedText, formattedText, joinTexts, plainText } from './formatted-text.js';
import { personName, storyText } from './origins.js';
import type { DescribedPayload, MessagePayload, PaidMediaPayload, TaskPayload } from './update.js';

const MAX_LINES = 100;

/** Describes in words a message without text and without a file that bots can open, such as a poll or a dice. */
export function describedText(message: DescribedPayload): FormattedText {
  const { dice, poll, checklist, story, paid_media } = message;
  if (dice !== undefined) return plainText(`${dice.emoji} ${dice.value}`);
  if (poll !== undefined)
    return lines([
      formattedText(poll.question, poll.question_entities),
      formattedText(poll.description ?? '', poll.description_entities),
      ...poll.options.map(({ text, text_entities }) => item('•', formattedText(text, text_entities))),
    ]);
  if (checklist !== undefined)
    return lines([
      formattedText(checklist.title, checklist.title_entities),
      ...checklist.tasks.map(taskPiece),
    ]);
  if (story !== undefined) return storyText(story);
  if (paid_media !== undefined) return paidPiece(paid_media);
  return offerPiece(message);
}

function offerPiece({ game, invoice, giveaway, giveaway_winners: drawn }: DescribedPayload): FormattedText {
  const offer = game ?? invoice;
  if (offer !== undefined) return lines([plainText(offer.title), plainText(offer.description ?? '')]);
  if (giveaway !== undefined) return lines(['[giveaway]', giveaway.prize_description ?? ''].map(plainText));
  if (drawn === undefined) return plainText('');
  const names = (drawn.winners ?? []).slice(0, MAX_LINES).map((user) => personName(user) ?? user.username);
  return lines(
    ['[giveaway winners]', names.filter(Boolean).join(', '), drawn.prize_description ?? ''].map(plainText),
  );
}

/** Paid media are not forwarded, because only people who paid may see them. */
function paidPiece({ paid_media }: PaidMediaPayload): FormattedText {
  const kinds = paid_media.map(({ type }) => `[paid ${paidKinds[type] ?? 'media'}]`);
  return plainText(kinds.length === 0 ? '[paid media]' : kinds.join(' '));
}

const paidKinds: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  photo: 'photo',
  video: 'video',
  live_photo: 'photo',
});

const item = (mark: string, text: FormattedText): FormattedText =>
  joinTexts([plainText(`${mark} `), text], '');

const lines = (pieces: readonly FormattedText[]): FormattedText =>
  joinTexts(pieces.slice(0, MAX_LINES), '\n');

const isDone = ({ completion_date, completed_by_user, completed_by_chat }: TaskPayload): boolean =>
  (completion_date ?? 0) > 0 || completed_by_user !== undefined || completed_by_chat !== undefined;

function taskPiece(task: TaskPayload): FormattedText {
  return item(isDone(task) ? '☑' : '•', formattedText(task.text, task.text_entities));
}

/** Describes a service message about a person's action, such as a change of a checklist or a gift. */
export function serviceActionText(message: ServiceActionPayload): FormattedText {
  const { checklist_tasks_done: done, checklist_tasks_added: added } = message;
  if (added !== undefined) return lines(added.tasks.map(taskPiece));
  if (done !== undefined) return tickedPiece(done);
  return giftPiece(message);
}

type ServiceActionPayload = Pick<
  MessagePayload,
  | 'checklist_tasks_done'
  | 'checklist_tasks_added'
  | 'gift'
  | 'gift_upgrade_sent'
  | 'unique_gift'
  | 'users_shared'
  | 'chat_shared'
  | 'web_app_data'
>;

function tickedPiece(done: NonNullable<ServiceActionPayload['checklist_tasks_done']>): FormattedText {
  const tasks = new Map(done.checklist_message?.checklist?.tasks.map((task) => [task.id, task]));
  const ticked = (mark: string, ids: readonly number[] = []) =>
    ids.map((id) => {
      const task = tasks.get(id);
      return item(
        mark,
        task === undefined ? plainText(`[task ${id}]`) : formattedText(task.text, task.text_entities),
      );
    });
  return lines([
    ...ticked('☑', done.marked_as_done_task_ids),
    ...ticked('☐', done.marked_as_not_done_task_ids),
  ]);
}

function giftPiece({ gift, gift_upgrade_sent, unique_gift, ...shared }: ServiceActionPayload): FormattedText {
  const plain = gift ?? gift_upgrade_sent;
  if (plain !== undefined)
    return lines([plainText('[gift]'), formattedText(plain.text ?? '', plain.entities)]);
  if (unique_gift === undefined) return sharedPiece(shared);
  const { base_name, number } = unique_gift.gift;
  const name = [base_name, number === undefined ? undefined : `#${number}`].filter(Boolean).join(' ');
  return lines([
    plainText(name === '' ? '[gift]' : `[gift: ${name}]`),
    formattedText(unique_gift.text ?? '', unique_gift.entities),
  ]);
}

/** Describes what a person selected with a button of a bot's keyboard. */
function sharedPiece({
  users_shared,
  chat_shared,
  web_app_data,
}: Pick<ServiceActionPayload, 'users_shared' | 'chat_shared' | 'web_app_data'>): FormattedText {
  if (web_app_data !== undefined) return plainText(web_app_data.button_text);
  if (chat_shared !== undefined) return plainText(chat_shared.title ?? '[shared chat]');
  if (users_shared === undefined) return plainText('');
  const names = users_shared.users.slice(0, MAX_LINES).map((user) => personName(user) ?? user.username);
  return plainText(names.filter(Boolean).join(', ') || '[shared contact]');
}
