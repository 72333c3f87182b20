const HUES = ['#8a4b08', '#1a6b3c', '#1f5fa8', '#7a3ea3', '#a8325e', '#0f6a70'] as const;

/** The first letter or digit of the name. A person without one gets an icon. */
function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '•';
}

function colourOf(name: string): string {
  if (name === '') return 'var(--hover)';
  let sum = 0;
  for (const character of name.slice(0, 64)) sum += character.codePointAt(0) ?? 0;
  return HUES[sum % HUES.length] ?? HUES[0];
}

/** The name is next to it, so assistive technology skips the avatar. A person without a name is still being loaded. */
export function Avatar({ name, size = 28 }: { readonly name: string; readonly size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 28 28" className="shrink-0 rounded-full">
      <rect width="28" height="28" fill={colourOf(name)} />
      <text x="14" y="18.5" textAnchor="middle" fontSize="13" fontWeight="600" fill="#fff">
        {name !== '' && initialOf(name)}
      </text>
    </svg>
  );
}
