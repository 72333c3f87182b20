import { createContext, useContext } from 'react';

/** The number of unread items in the tab title. Empty if there are none. */
export const WaitingContext = createContext('');

/** The title of the browser tab. */
export function PageTitle({ title }: { readonly title: string }) {
  const waiting = useContext(WaitingContext);
  const count = waiting === '' ? '' : `(${waiting}) `;
  return <title>{`${count}${title} – Trunkline`}</title>;
}
