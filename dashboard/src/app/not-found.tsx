import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonLook } from '../kit/button';
import { EmptyState } from '../kit/feedback';
import { messages as t } from './messages';

export function NotFound() {
  const link = (
    <Link to="/inbox" className={buttonLook()}>
      {t('toInbox')}
    </Link>
  );
  return (
    <main className="flex h-dvh">
      <EmptyState icon={Compass} title={t('notFound')} action={link}>
        {t('notFoundText')}
      </EmptyState>
    </main>
  );
}
