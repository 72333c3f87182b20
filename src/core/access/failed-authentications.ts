import { LRUCache } from 'lru-cache';
import { AppError } from '../common/errors.js';
import { timeNow } from '../common/time.js';

const WINDOW_MS = 60_000;
const ALLOWED = 600;
const ADDRESSES = 50_000;

interface Window {
  failures: number;
  readonly endsAt: number;
}

/** Counts failed authentications per client address. Requests with valid credentials are not counted. */
export class FailedAuthentications {
  private readonly windows = new LRUCache<string, Window>({ max: ADDRESSES });

  constructor(
    private readonly now: () => number = timeNow,
    private readonly allowed = ALLOWED,
  ) {}

  /** Counts one failure and returns the response: 401, or 429 until the window ends if the address has too many failures. */
  refuse(address: string): AppError {
    const now = this.now();
    let window = this.windows.get(address);
    if (window === undefined || window.endsAt <= now) {
      window = { failures: 0, endsAt: now + WINDOW_MS };
      this.windows.set(address, window);
    }
    window.failures += 1;
    if (window.failures <= this.allowed) return unauthorized();
    const details = { limit: this.allowed, reset: Math.ceil(window.endsAt / 1_000) };
    return new AppError('rate_limit_exceeded', 'Too many failed authentications.', details);
  }
}

/** The same response for every credential that is not accepted. */
export function unauthorized(): AppError {
  return new AppError('unauthorized', 'Missing or invalid credentials.');
}
