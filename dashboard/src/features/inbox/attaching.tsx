import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { uploadFile } from '../../api/upload';
import { useFilesOf } from '../../kit/attaching';
import { DraftFiles } from '../../kit/draft-files';
import { messages as kit } from '../../kit/messages';

const DraftFilesContext = createContext<DraftFiles | undefined>(undefined);

export function DraftFilesProvider({ children }: { readonly children: ReactNode }) {
  const files = useMemo(() => new DraftFiles(uploadFile, () => kit('tooLarge')), []);
  return <DraftFilesContext value={files}>{children}</DraftFilesContext>;
}

/** The files of the unsent message of a conversation. */
export function useDraftFiles(conversationId: string) {
  const store = useContext(DraftFilesContext);
  if (store === undefined) throw new Error('There is no DraftFilesProvider.');
  return useFilesOf(store, conversationId);
}
