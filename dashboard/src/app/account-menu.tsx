import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Footprints, Languages, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { signOut, useSession } from '../api/session';
import { changeLanguage, LANGUAGES, type Language, language } from '../i18n/language';
import { Avatar } from '../kit/avatar';
import { Menu, MenuItem, MenuSeparator } from '../kit/menu';
import { showError } from '../kit/toast';
import { messages as t } from './messages';
import { chooseTheme } from './theme';

export function AccountMenu() {
  const { user } = useSession();
  const navigate = useNavigate();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-md p-1.5 text-left hover:bg-hover max-sm:min-h-12 max-sm:w-12 max-sm:justify-center"
        >
          <Avatar name={user.display_name} size={24} />
          <span className="sr-only">{t('account', { name: user.display_name })}</span>
          <span aria-hidden className="untrusted hidden truncate text-sm sm:block">
            {user.display_name}
          </span>
        </button>
      }
    >
      <MenuItem icon={<Monitor aria-hidden />} onSelect={() => chooseTheme('system')}>
        {t('themeSystem')}
      </MenuItem>
      <MenuItem icon={<Sun aria-hidden />} onSelect={() => chooseTheme('light')}>
        {t('themeLight')}
      </MenuItem>
      <MenuItem icon={<Moon aria-hidden />} onSelect={() => chooseTheme('dark')}>
        {t('themeDark')}
      </MenuItem>
      <MenuSeparator />
      {(Object.keys(LANGUAGES) as Language[])
        .filter((each) => each !== language)
        .map((each) => (
          <MenuItem key={each} icon={<Languages aria-hidden />} onSelect={() => changeLanguage(each)}>
            {LANGUAGES[each]}
          </MenuItem>
        ))}
      <MenuSeparator />
      <MenuItem icon={<Footprints aria-hidden />} onSelect={() => void navigate({ to: '/welcome' })}>
        {t('firstSteps')}
      </MenuItem>
      <MenuItem icon={<BookOpen aria-hidden />} onSelect={() => location.assign('/docs')}>
        {t('reference')}
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut().catch(showError)}>
        {t('signOut')}
      </MenuItem>
    </Menu>
  );
}
