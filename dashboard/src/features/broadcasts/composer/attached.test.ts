import { describe, expect, it } from 'vitest';
import { attachmentBodies, type Stored } from './attached';

const stored = (part: Partial<Stored>) =>
  ({ name: null, mime_type: null, alt_text: null, metadata: {}, source_url: null, ...part }) as Stored;

describe('The files of a broadcast', () => {
  it('are sent with those that stay, and without what is not uploaded', () => {
    const kept = [
      stored({ id: 'a', type: 'image', name: 'menu.png', mime_type: 'image/png' }),
      stored({ id: 'b', type: 'file', source_url: 'https://example.test/b.pdf' }),
      stored({ id: 'c', type: 'location', latitude: 1, longitude: 2 }),
    ];
    const bodies = attachmentBodies(kept, [{ uploadId: 'd' }, {}]);
    expect(bodies).toMatchObject([
      { upload_id: 'a', type: 'image', name: 'menu.png' },
      { url: 'https://example.test/b.pdf', type: 'file' },
      { type: 'location', latitude: 1, longitude: 2 },
      { upload_id: 'd' },
    ]);
    expect(bodies[2]).not.toHaveProperty('upload_id');
  });
});
