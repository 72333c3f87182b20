import { explain } from '../../../api/errors';

/** Why the service refused something. Its sentence names the fields. */
export function Refusal({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className="untrusted break-words text-danger text-sm">
      {explain(error).advice}
    </p>
  );
}
