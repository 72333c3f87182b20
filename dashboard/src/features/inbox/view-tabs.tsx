import { useQueries } from '@tanstack/react-query';
import { useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { messages as t } from './messages';
import { viewCountQuery } from './view-counts';
import { type Selection, VIEWS, type View } from './views';

const MAX_SHOWN = 999;

interface ViewTabsProps {
  readonly selection: Selection;
  readonly onChoose: (view: View) => void;
}

/** The views with the number of conversations in each. */
export function ViewTabs({ selection, onChoose }: ViewTabsProps) {
  const { user } = useSession();
  const counts = useQueries({ queries: VIEWS.map((view) => viewCountQuery(selection, view, user.id)) });
  return (
    <fieldset aria-label={t('views')} className="flex flex-wrap gap-1">
      {VIEWS.map((view, index) => (
        <Button
          key={view}
          size="sm"
          kind="quiet"
          aria-pressed={selection.view === view}
          className="!px-1.5 touch:min-w-10 aria-pressed:bg-selected aria-pressed:text-accent-text"
          onClick={() => onChoose(view)}
        >
          {t(view)}
          <Count count={counts[index]?.data} />
        </Button>
      ))}
    </fieldset>
  );
}

function Count({ count }: { readonly count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  return (
    <span className="text-muted text-xs tabular-nums">{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>
  );
}
