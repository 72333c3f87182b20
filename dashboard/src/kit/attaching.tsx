import { CircleAlert, FileText, Paperclip, X } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button } from './button';
import { type DraftFile, type DraftFiles, MAX_FILES } from './draft-files';
import { messages as t } from './messages';
import { showToast } from './toast';

/** The files of one unsent message. */
export function useFilesOf(store: DraftFiles, owner: string) {
  const all = useSyncExternalStore(store.watch, () => store.files);
  const files = useMemo(() => all.filter((each) => each.owner === owner), [all, owner]);
  return {
    files,
    isReady: files.every(({ uploadId }) => uploadId !== undefined),
    add: (chosen: Iterable<File>) => {
      const left = store.add(owner, [...chosen]);
      if (left > 0) showToast(t('tooManyFiles', { count: MAX_FILES }));
    },
    remove: (id: string) => store.remove(id),
    take: () => store.take(owner),
  };
}

/** Attaches files from the clipboard. Text is pasted as usual. */
export const pasting = (add: (files: Iterable<File>) => void) => (event: ClipboardEvent) => {
  const { files } = event.clipboardData;
  if (files.length === 0) return;
  event.preventDefault();
  add(files);
};

interface AttachButtonProps {
  readonly onChoose: (files: Iterable<File>) => void;
  /** Whether the button shows its label next to the icon. */
  readonly isNamed?: boolean;
}

export function AttachButton({ onChoose, isNamed = false }: AttachButtonProps) {
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
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      <Button
        kind={isNamed ? 'secondary' : 'quiet'}
        size={isNamed ? 'md' : 'icon'}
        aria-label={t('attach')}
        aria-keyshortcuts="Shift+F"
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden className="size-4" />
        {isNamed && t('attach')}
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
        className="h-6 w-6"
        aria-label={t('removeFile', { name: file.name })}
        onClick={onRemove}
      >
        <X aria-hidden className="size-3.5" />
      </Button>
    </li>
  );
}

interface DropAreaProps {
  readonly label: string;
  readonly isEnabled: boolean;
  readonly onDropFiles: (files: Iterable<File>) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** An area that accepts dropped files. */
export function DropArea({ label, isEnabled, onDropFiles, className = '', children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => isEnabled && dataTransfer.types.includes('Files');
  return (
    <section
      aria-label={label}
      className={`relative ${className}`}
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
        onDropFiles(event.dataTransfer.files);
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
