import {
  ChartLine,
  Code,
  ContactRound,
  House,
  Inbox,
  type LucideIcon,
  MapPin,
  Megaphone,
  Phone,
  Plug,
  Settings,
  Smartphone,
} from 'lucide-react';
import { messages as t } from './messages';

export interface NavigationItem {
  readonly to: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** A requirement for showing the area: a mode of the service, or access of the user. Absent if there is none. */
  readonly needs?: 'simulators' | 'all conversations';
  /** In the bar of a phone. The other areas are in its menu. */
  readonly isInBar?: boolean;
}

/** The areas of the dashboard, in display order. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/home', title: t('home'), icon: House, isInBar: true },
  { to: '/inbox', title: t('inbox'), icon: Inbox, isInBar: true },
  { to: '/contacts', title: t('contacts'), icon: ContactRound, isInBar: true },
  { to: '/calls', title: t('calls'), icon: Phone },
  { to: '/locations', title: t('locations'), icon: MapPin },
  { to: '/broadcasts', title: t('broadcasts'), icon: Megaphone, needs: 'all conversations', isInBar: true },
  { to: '/analytics', title: t('analytics'), icon: ChartLine, needs: 'all conversations' },
  { to: '/platforms', title: t('platforms'), icon: Plug },
  { to: '/simulators', title: t('simulators'), icon: Smartphone, needs: 'simulators' },
  { to: '/developers', title: t('developers'), icon: Code },
  { to: '/settings', title: t('settings'), icon: Settings },
];
