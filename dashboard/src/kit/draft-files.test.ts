import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors';
import { DraftFiles, MAX_FILE_BYTES, MAX_FILES, type Upload } from './draft-files';

const file = (name: string) => new File([name], name);
const stored: Upload = async ({ name }) => `upload of ${name}`;
const settled = (drafts: DraftFiles) =>
  expect
    .poll(() => drafts.files.every(({ uploadId, problem }) => (uploadId ?? problem) !== undefined))
    .toBe(true);

describe('The files of an unsent message', () => {
  it('go with the message that is sent, and with no other one', async () => {
    const drafts = new DraftFiles(stored, () => 'too large');
    drafts.add('a', [file('one'), file('two')]);
    drafts.add('b', [file('three')]);
    await settled(drafts);
    expect(drafts.take('a')).toEqual(['upload of one', 'upload of two']);
    expect(drafts.take('a')).toEqual([]);
    expect(drafts.of('b').map(({ uploadId }) => uploadId)).toEqual(['upload of three']);
  });

  it('are at most ten', () => {
    const drafts = new DraftFiles(stored, () => 'too large');
    const many = Array.from({ length: MAX_FILES + 2 }, (_, index) => file(`${index}`));
    expect(drafts.add('a', many)).toBe(2);
    expect(drafts.add('a', [file('more')])).toBe(1);
    expect(drafts.of('a')).toHaveLength(MAX_FILES);
  });

  it('are not uploaded when they are too large', async () => {
    const drafts = new DraftFiles(stored, () => 'too large');
    const large = file('large');
    Object.defineProperty(large, 'size', { value: MAX_FILE_BYTES + 1 });
    drafts.add('a', [large]);
    await settled(drafts);
    expect(drafts.of('a')).toMatchObject([{ problem: 'too large' }]);
    expect(drafts.take('a')).toEqual([]);
  });

  it('say why the service refused them', async () => {
    const refuse: Upload = () => Promise.reject(new ApiError(400, { message: 'Not a picture' }));
    const drafts = new DraftFiles(refuse, () => 'too large');
    drafts.add('a', [file('one')]);
    await settled(drafts);
    expect(drafts.of('a')).toMatchObject([{ problem: 'Not a picture' }]);
  });

  it('end their upload when they are removed', async () => {
    let signal: AbortSignal | undefined;
    const endless: Upload = (_file, _progress, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const drafts = new DraftFiles(endless, () => 'too large');
    drafts.add('a', [file('one')]);
    drafts.remove(String(drafts.of('a')[0]?.id));
    expect(signal?.aborted).toBe(true);
    expect(drafts.files).toEqual([]);
  });
});
