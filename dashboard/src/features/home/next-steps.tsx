import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { Home } from '../../api/home-paths';
import { Card } from '../../kit/page';
import { messages as t } from './messages';

const STEPS = [
  { name: 'connection', title: 'stepConnection', to: '/platforms' },
  { name: 'conversation', title: 'stepConversation', to: '/welcome' },
  { name: 'member', title: 'stepMember', to: '/settings/members' },
  { name: 'program', title: 'stepProgram', to: '/developers/keys' },
] as const;

/** The setup steps of a new workspace. Hidden after all of them are done. */
export function NextSteps({ done }: Pick<Home, 'done'>) {
  return (
    <Card title={t('next')} description={t('nextHelp')}>
      <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {STEPS.map(({ name, title, to }) => {
          const Icon = done[name] ? CircleCheck : CircleDashed;
          return (
            <li key={name} className="flex items-center gap-2">
              <Icon
                role="img"
                aria-label={t(done[name] ? 'done' : 'open_step')}
                className={`size-4 shrink-0 ${done[name] ? 'text-success' : 'text-muted'}`}
              />
              {done[name] ? (
                <span className="text-muted">{t(title)}</span>
              ) : (
                <Link to={to} className="font-medium text-accent-text hover:underline touch:py-2.5">
                  {t(title)}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
