import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

/** Typing would otherwise change the address with each key. */
const PAUSE_MS = 250;

type Texts = Readonly<Record<string, string>>;

/**
 * A filter of texts that is kept in the address, so that the way back to a list, a reload and a shared link show the same rows.
 * An address that `isValid` refuses shows all rows.
 */
export function useAddressFilter<Filter extends object>(
  all: Filter,
  isValid: (filter: Filter) => boolean = () => true,
): readonly [Filter, (filter: Filter) => void] {
  const found = readFilter(useSearch({ strict: false }), all, isValid);
  const address = JSON.stringify(found);
  const [filter, setFilter] = useState(found);
  const navigate = useNavigate();
  const written = useRef(address);
  useEffect(() => {
    // Keeps what the user typed in the meantime. Only a change from elsewhere replaces it.
    if (address !== written.current) setFilter(JSON.parse(address) as Filter);
    written.current = address;
  }, [address]);
  useEffect(() => {
    const wanted = JSON.stringify(filter);
    if (wanted === written.current) return;
    const timer = setTimeout(() => {
      written.current = wanted;
      void navigate({ to: '.', search: different(filter, all) as never, replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filter, all, navigate]);
  return [filter, setFilter];
}

function readFilter<Filter extends object>(
  search: Readonly<Record<string, unknown>>,
  all: Filter,
  isValid: (filter: Filter) => boolean,
): Filter {
  const texts = Object.entries(all).map(([name, text]) => [name, String(search[name] ?? text)]);
  const filter = Object.fromEntries(texts) as Filter;
  return isValid(filter) ? filter : all;
}

const different = (filter: object, all: object): Texts =>
  Object.fromEntries(Object.entries(filter).filter(([name, text]) => text !== (all as Texts)[name]));
