import { z } from 'zod';
import { requireManaging } from '../../../core/access/roles.js';
import { uuid } from '../../../core/schema/scalars.js';

/** Fields that all routes of the dashboard share. No scope of a key gives access to them. */
export const dashboard = { tag: 'Dashboard', scopes: [], oauth: null, dashboard: true } as const;

/** For owners and admins. */
export const managing = { ...dashboard, admits: requireManaging };

/** For changes by owners and admins that may end keys or tokens. */
export const revoking = { ...managing, endsCredentials: true };

export const idParams = z.object({ id: uuid });
