import { Radio } from 'lucide-react';
import { useState } from 'react';
import type { ApiDocument } from '../../api/api-document';
import { Badge } from '../../kit/badge';
import { CopyBox } from '../../kit/copy';
import { EmptyState } from '../../kit/feedback';
import { DocumentPage } from './document-page';
import { messages as t } from './event-messages';
import { EVENTS } from './events.gen';

type EventEntry = (typeof EVENTS)[number];

const CATEGORIES = [...new Set(EVENTS.map(({ category }) => category))];
/** Lists every event with an example payload. */
export function EventsScreen() {
  return (
    <DocumentPage t={t}>
      {(document, search) => <Catalogue document={document} text={search.toLowerCase()} />}
    </DocumentPage>
  );
}

function Catalogue({ document, text }: { readonly document: ApiDocument; readonly text: string }) {
  const found = EVENTS.filter(({ name, when }) => `${name} ${when}`.toLowerCase().includes(text));
  if (found.length === 0)
    return (
      <EmptyState icon={Radio} title={t('noneFound')}>
        {t('noneFoundHelp')}
      </EmptyState>
    );
  return CATEGORIES.map((category) => (
    <Category
      key={category}
      category={category}
      events={found.filter((event) => event.category === category)}
      document={document}
    />
  ));
}

interface CategoryProps {
  readonly category: EventEntry['category'];
  readonly events: readonly EventEntry[];
  readonly document: ApiDocument;
}

function Category({ category, events, document }: CategoryProps) {
  if (events.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">{category === null ? t('other') : t('category', { name: category })}</h2>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {events.map((event) => (
          <li key={event.name}>
            <Event event={event} document={document} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Event({ event, document }: { readonly event: EventEntry; readonly document: ApiDocument }) {
  const { name, when, scope, onRequest } = event;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="px-3 py-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm touch:min-h-10">
        <code className="font-medium">{name}</code>
        <span className="block text-muted">{when}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-2 pt-2">
          <p className="flex flex-wrap gap-2">
            <Badge>{scope === null ? t('anyScope') : t('scope', { scope })}</Badge>
            {onRequest && <Badge>{t('onRequest')}</Badge>}
          </p>
          <CopyBox label={t('example', { name })} text={exampleText(document, name)} />
        </div>
      )}
    </details>
  );
}

function exampleText({ webhooks }: ApiDocument, name: string): string {
  const example = webhooks[name]?.post.requestBody?.content['application/json']?.example;
  return JSON.stringify(example, null, 2) ?? '';
}
