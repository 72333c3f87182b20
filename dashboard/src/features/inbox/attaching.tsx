import { CircleAlert, FileText, Paperclip, X } from 'lucide-react';
import {
  createContext,
  type DragEvent,
  type ReactNode,
  useContext,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { usePermissions } from '../../api/session';
import { uploadFile } from '../../api/upload';
import { Button } from '../../kit/button';
import { showToast } from '../../kit/toast';
import { type DraftFile, DraftFiles, MAX_FILES } from './draft-files';
import { messages as t } from './messages';

const DraftFilesContext = createContext<DraftFiles | undefined>(undefined);

export function DraftFilesProvider({ children }: { readonly children: ReactNode }) {
  const files = useMemo(() => new DraftFiles(uploadFile, () => t('tooLarge')), []);
  return <DraftFilesContext value={files}>{children}</DraftFilesContext>;
}

/** The files of the message that is being written in a conversation. */
export function useDraftFiles(conversationId: string) {
  const store = useContext(DraftFilesContext);
  if (store === undefined) throw new Error('There is no DraftFilesProvider.');
  const all = useSyncExternalStore(store.watch, () => store.files);
  const files = useMemo(
    () => all.filter((each) => each.conversationId === conversationId),
    [all, conversationId],
  );
  return {
    files,
    isReady: files.every(({ uploadId }) => uploadId !== undefined),
    add: (chosen: Iterable<File>) => {
      const left = store.add(conversationId, [...chosen]);
      if (left > 0) showToast(t('tooMany', { count: MAX_FILES }));
    },
    remove: (id: string) => store.remove(id),
    take: () => store.take(conversationId),
  };
}

export function AttachButton({ onChoose }: { readonly onChoose: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onChoose(target.files ?? []);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      <Button kind="quiet" size="icon" aria-label={t('attach')} onClick={() => input.current?.click()}>
        <Paperclip aria-hidden className="size-4" />
      </Button>
    </>
  );
}

interface DraftFileListProps {
  readonly files: readonly DraftFile[];
  readonly onRemove: (id: string) => void;
}

export function DraftFileList({ files, onRemove }: DraftFileListProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('filesOfMessage')} className="flex max-h-40 flex-wrap gap-2 overflow-y-auto">
      {files.map((each) => (
        <DraftFileItem key={each.id} draft={each} onRemove={() => onRemove(each.id)} />
      ))}
    </ul>
  );
}

function DraftFileItem({ draft, onRemove }: { readonly draft: DraftFile; readonly onRemove: () => void }) {
  const { file, progress, uploadId, problem } = draft;
  return (
    <li className="flex max-w-64 items-center gap-2 rounded-md border border-line bg-canvas py-1 pr-1 pl-2 text-sm">
      {problem === undefined ? (
        <FileText aria-hidden className="size-4 shrink-0 text-muted" />
      ) : (
        <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      )}
      <span className="min-w-0 grow">
        <span className="untrusted block truncate">{file.name}</span>
        {problem !== undefined && (
          <span role="alert" className="untrusted block text-danger text-xs">
            {problem}
          </span>
        )}
        {problem === undefined && uploadId === undefined && (
          <progress
            aria-label={t('uploading', { name: file.name })}
            value={progress}
            className="block h-1 w-32"
          />
        )}
      </span>
      <Button
        kind="quiet"
        size="icon"
        className="!size-6"
        aria-label={t('removeFile', { name: file.name })}
        onClick={onRemove}
      >
        <X aria-hidden className="size-3.5" />
      </Button>
    </li>
  );
}

interface DropAreaProps {
  readonly conversationId: string;
  readonly children: ReactNode;
}

/** The conversation, on which files can be dropped. */
export function DropArea({ conversationId, children }: DropAreaProps) {
  const { canWrite } = usePermissions();
  const { add } = useDraftFiles(conversationId);
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => canWrite && dataTransfer.types.includes('Files');
  return (
    <section
      aria-label={t('conversation')}
      className="relative flex h-full min-h-0 min-w-0 grow flex-col"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer.files);
      }}
    >
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-lg border-2 border-accent border-dashed bg-surface/90 font-medium text-accent-text">
          {t('dropFiles')}
        </p>
      )}
    </section>
  );
}
