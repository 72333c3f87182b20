import { FileText, X } from 'lucide-react';
import { AttachButton, DraftFileList } from '../../../kit/attaching';
import { Button } from '../../../kit/button';
import { type Attached, nameOf } from './attached';
import { messages as t } from './messages';

/** The files sent with the text. */
export function Files({
  attached,
  problem,
}: {
  readonly attached: Attached;
  readonly problem?: string | undefined;
}) {
  const { drafts, stored, removeStored } = attached;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <AttachButton isNamed onChoose={drafts.add} />
        <p className="text-muted text-sm">{t('filesHelp')}</p>
      </div>
      {stored.length > 0 && (
        <ul aria-label={t('storedFiles')} className="flex flex-wrap gap-2">
          {stored.map((each) => (
            <li
              key={each.id}
              className="flex max-w-64 items-center gap-2 rounded-md border border-line bg-canvas py-1 pr-1 pl-2 text-sm"
            >
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="untrusted min-w-0 truncate">{nameOf(each)}</span>
              <Button
                kind="quiet"
                size="sm"
                aria-label={t('remove', { name: nameOf(each) })}
                onClick={() => removeStored(each.id)}
              >
                <X aria-hidden className="size-3.5" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <DraftFileList files={drafts.files} onRemove={drafts.remove} />
      {problem !== undefined && <p className="untrusted text-danger text-sm">{problem}</p>}
    </div>
  );
}
