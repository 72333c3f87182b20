import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { renewPush } from '../../api/push';
import { useSession } from '../../api/session';
import { closeOld } from './close-old';

/** Delay after which the first screen has its data. */
const AFTER_MS = 5_000;
/** Paths of the router do not include the base path. */
const BASE = /^\/dashboard(?=\/)/;

/**
 * Opens the target of a clicked notification, closes outdated ones, and renews the push subscription of this browser in a new
 * session.
 */
export function Pushes() {
  const { user } = useSession();
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => {
      void renewPush(user.id).catch((error: unknown) => console.info('push.not_renewed', error));
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [user.id]);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const open = ({ data }: MessageEvent<{ readonly open?: unknown } | null>) => {
      const path = data?.open;
      if (typeof path === 'string' && BASE.test(path)) void router.navigate({ to: path.replace(BASE, '') });
    };
    navigator.serviceWorker.addEventListener('message', open);
    return () => navigator.serviceWorker.removeEventListener('message', open);
  }, [router]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void closeOld();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return null;
}
