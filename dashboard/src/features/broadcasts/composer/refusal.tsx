import { explain } from '../../../api/errors';

/** Shows why the service rejected a request. The message names the fields. */
export function Refusal({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className="untrusted break-words text-danger text-sm">
      {explain(error).advice}
    </p>
  );
}
