import { createContext, useContext } from 'react';

/** How many things wait for the person, as the title of the browser's tab shows it. Empty when nothing waits. */
export const WaitingContext = createContext('');

/** The title of the browser's tab. */
export function PageTitle({ title }: { readonly title: string }) {
  const waiting = useContext(WaitingContext);
  const count = waiting === '' ? '' : `(${waiting}) `;
  return <title>{`${count}${title} – Trunkline`}</title>;
}
