import { useState } from 'react';
import { uploadFile } from '../../../api/upload';
import { useFilesOf } from '../../../kit/attaching';
import { DraftFiles } from '../../../kit/draft-files';
import { messages as kit } from '../../../kit/messages';
import type { Broadcast } from '../queries';

export type Stored = Broadcast['attachments'][number];

const OWNER = 'broadcast';
const NONE: readonly Stored[] = [];

/** The files of a broadcast: stored ones and new ones. */
export function useAttached(broadcast: Broadcast | undefined) {
  const [first] = useState(broadcast?.attachments ?? NONE);
  const [store] = useState(() => new DraftFiles(uploadFile, () => kit('tooLarge')));
  const [stored, setStored] = useState(first);
  const drafts = useFilesOf(store, OWNER);
  const isChanged = drafts.files.length > 0 || stored.length < first.length;
  return {
    drafts,
    stored,
    isChanged,
    isReady: drafts.isReady,
    names: [...stored.map(nameOf), ...drafts.files.map(({ file }) => file.name)],
    removeStored: (id: string) => setStored(stored.filter((each) => each.id !== id)),
    /** Empty if the attachments are unchanged, so that the stored ones or those of the template stay. */
    body: isChanged ? { attachments: attachmentBodies(stored, drafts.files) } : {},
  };
}

export type Attached = ReturnType<typeof useAttached>;

export const nameOf = ({ name, type }: Pick<Stored, 'name' | 'type'>): string => name ?? type;

interface Uploaded {
  readonly uploadId?: string;
}

/** The complete list of attachments for the request. Stored attachments are returned unchanged. */
export function attachmentBodies(stored: readonly Stored[], files: readonly Uploaded[]) {
  return [
    ...stored.map(storedBody),
    ...files.flatMap(({ uploadId }) => (uploadId === undefined ? [] : [{ upload_id: uploadId }])),
  ];
}

function storedBody({ id, type, source_url: source, name, mime_type, alt_text, metadata, ...rest }: Stored) {
  const described = { name, alt_text, metadata };
  if (type === 'location') return { type, ...described, latitude: rest.latitude, longitude: rest.longitude };
  if (type === 'contact') return { type, ...described };
  const file = source === null ? { upload_id: id } : { url: source };
  return { ...file, type, ...described, mime_type };
}
