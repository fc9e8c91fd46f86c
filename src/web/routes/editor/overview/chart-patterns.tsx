import type { ReactNode } from 'react';

/** What parts of a column are filled with: each tells itself from the others by its drawing, too, and not by colour alone. */
export type PatternName = 'card' | 'renewal' | 'check' | 'back' | 'adjustment' | 'pounds';

const PATTERNS: Readonly<Record<PatternName, ReactNode>> = {
  card: <rect width="8" height="8" fill="#17585b" />,
  pounds: <rect width="8" height="8" fill="#2b7277" />,
  renewal: (
    <>
      <rect width="8" height="8" fill="#cddcd8" />
      <path d="M-2 6 6 -2M2 10 10 2" stroke="#17585b" strokeWidth="2.5" />
    </>
  ),
  check: (
    <>
      <rect width="8" height="8" fill="#ffc24b" />
      <circle cx="4" cy="4" r="1.6" fill="#7d4a00" />
    </>
  ),
  adjustment: (
    <>
      <rect width="8" height="8" fill="#fff" />
      <path d="M0 2h8M0 6h8" stroke="#466066" strokeWidth="1.5" />
    </>
  ),
  back: (
    <>
      <rect width="8" height="8" fill="#f8e4e0" />
      <path d="M0 0 8 8M8 0 0 8" stroke="#a63d2b" strokeWidth="1.5" />
    </>
  ),
};

const NAMES: readonly PatternName[] = ['card', 'renewal', 'check', 'back', 'adjustment', 'pounds'];

/** @param id the drawing's own, as several of them stand on a page */
export function ChartPatterns({ id }: { id: string }) {
  return (
    <defs>
      {NAMES.map((name) => (
        <pattern key={name} id={`${id}-${name}`} width="8" height="8" patternUnits="userSpaceOnUse">
          {PATTERNS[name]}
        </pattern>
      ))}
    </defs>
  );
}

export function fillOf(id: string, name: PatternName): string {
  return `url(#${id}-${name})`;
}

/** A small sample of a filling, beside the words that say what it stands for. */
export function PatternSample({
  id,
  name,
  className,
}: {
  id: string;
  name: PatternName;
  className?: string | undefined;
}) {
  return (
    <svg width="24" height="16" className={className} aria-hidden="true">
      <ChartPatterns id={id} />
      <rect width="24" height="16" fill={fillOf(id, name)} stroke="#466066" />
    </svg>
  );
}
