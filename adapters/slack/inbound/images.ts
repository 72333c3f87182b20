import type { ContentAttachment } from '../../../src/contract/index.js';
import { addressOf, type Fields, fieldsOf, wordsOf } from './values.js';

const MAX_ALT_TEXT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 255;

/**
 * The picture of an image block or element. A picture that Slack stores is identified by its file id, because its
 * address requires the bot's token (docs.slack.dev/reference/block-kit/composition-objects/slack-file-object).
 */
export function imageOf({ image_url, slack_file, alt_text, title }: Fields): ContentAttachment[] {
  const place = placeOf(image_url, fieldsOf(slack_file));
  if (place === undefined) return [];
  const name = wordsOf(fieldsOf(title)?.text) ?? wordsOf(title);
  const altText = wordsOf(alt_text);
  return [
    {
      type: 'image',
      ...place,
      ...(altText === undefined ? {} : { altText: altText.slice(0, MAX_ALT_TEXT_LENGTH) }),
      ...(name === undefined ? {} : { name: name.slice(0, MAX_NAME_LENGTH) }),
    },
  ];
}

function placeOf(url: unknown, file: Fields | undefined) {
  const id = wordsOf(file?.id) ?? fileIdIn(wordsOf(file?.url)) ?? fileIdIn(wordsOf(url));
  if (id !== undefined && /^F[A-Z0-9]{1,63}$/.test(id)) return { remoteRef: id };
  const address = addressOf(url);
  return address === undefined ? undefined : { url: address };
}

/** `https://files.slack.com/files-pri/T0-F0/name.png` */
function fileIdIn(address: string | undefined): string | undefined {
  return /^https:\/\/[^/?#]{1,255}\/files-[a-z]{1,9}\/[A-Z0-9]{1,63}-(F[A-Z0-9]{1,63})\//.exec(
    address ?? '',
  )?.[1];
}
