import { beforeEach, describe, expect, it } from 'vitest';
import { type DraftContent, DraftKeeper, type DraftService, type StoredDraft } from './draft-keeper';

/** A fake service that stores drafts, with a simulated network failure. */
class Service {
  stored: StoredDraft | null = null;
  isOnline = true;
  #count = 0;

  write({ text, isNote, reply }: DraftContent): StoredDraft | null {
    this.#count += 1;
    const version = `v${this.#count}`;
    this.stored =
      text === '' && reply === undefined
        ? null
        : { version, text, is_note: isNote, reply_to_id: reply?.id ?? null };
    return this.stored;
  }

  of(device: { last?: string }): DraftService {
    return {
      load: async () => {
        if (!this.isOnline) throw new Error('offline');
        return this.stored;
      },
      save: async (content, base) => {
        if (!this.isOnline) throw new Error('offline');
        const now = this.stored;
        const isForeign = now !== null && now.version !== base && now.version !== device.last;
        if (isForeign && now.text !== content.text) return { is_saved: false, draft: now };
        const draft = this.write(content);
        if (draft === null) delete device.last;
        else device.last = draft.version;
        return { is_saved: true, draft };
      },
    };
  }
}

const written = (text: string): DraftContent => ({ text, isNote: false, reply: undefined });

describe('A draft', () => {
  let service: Service;
  let memory: string | null;
  const keeper = () =>
    new DraftKeeper(service.of({}), {
      read: () => memory,
      write: (text) => {
        memory = text;
      },
    });

  beforeEach(() => {
    service = new Service();
    memory = null;
  });

  it('is in this browser at once and in the service afterwards', async () => {
    const draft = keeper();
    draft.change({ text: 'Hello', isNote: true, reply: { id: 'm1', name: 'Ada' } });
    expect(keeper().content).toMatchObject({ text: 'Hello', isNote: true, reply: { id: 'm1', name: 'Ada' } });
    await draft.save();
    expect(service.stored).toMatchObject({ text: 'Hello', is_note: true, reply_to_id: 'm1' });
  });

  it('of another browser is shown when nothing unsaved is in this one', async () => {
    const draft = keeper();
    service.write(written('From the phone'));
    await draft.load();
    expect(draft.content.text).toBe('From the phone');
    service.write(written(''));
    await draft.load();
    expect(draft.content.text).toBe('');
  });

  it('that is being typed is not replaced by what is read meanwhile', async () => {
    const draft = keeper();
    service.write(written('Old'));
    const reading = draft.load();
    draft.change({ text: 'New' });
    await reading;
    expect(draft.content.text).toBe('New');
  });

  it('and the one of another browser are both kept until the person chooses', async () => {
    const draft = keeper();
    draft.change({ text: 'Mine' });
    service.write(written('Theirs'));
    await draft.save();
    expect([draft.content.text, draft.other?.text, service.stored?.text]).toEqual([
      'Mine',
      'Theirs',
      'Theirs',
    ]);
    draft.change({ text: 'Mine, longer' });
    await draft.save();
    expect(service.stored?.text).toBe('Theirs');
    draft.keepOwn();
    await expect.poll(() => service.stored?.text).toBe('Mine, longer');
    expect(draft.other).toBeUndefined();
  });

  it('of another browser can be taken', async () => {
    const draft = keeper();
    draft.change({ text: 'Mine' });
    service.write(written('Theirs'));
    await draft.save();
    draft.takeOther();
    expect([draft.content.text, draft.other]).toEqual(['Theirs', undefined]);
  });

  it('that was sent makes room for the one of another browser', async () => {
    const draft = keeper();
    draft.change({ text: 'Hello' });
    await draft.save();
    service.write(written('Hello and more'));
    draft.change({ text: '' });
    await draft.save();
    expect(draft.content.text).toBe('Hello and more');
  });

  it('that could not be saved is saved at the next visit', async () => {
    service.isOnline = false;
    const draft = keeper();
    draft.change({ text: 'On the train' });
    await draft.save();
    service.isOnline = true;
    await keeper().load();
    expect(service.stored?.text).toBe('On the train');
  });

  it('of an older kind in this browser is read as none', () => {
    memory = 'plain text';
    expect(keeper().content.text).toBe('');
  });
});
