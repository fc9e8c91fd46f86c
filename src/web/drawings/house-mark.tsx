/** The logo: a house shaped like a lit window. Decorative next to the name. */
export function HouseMark({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} width={32} height={32} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M3 13 16 3l13 10v16H3Z" fill="#ffc24b" />
      <path d="M16 11v12M10 17h12" stroke="#07202a" strokeWidth={3} />
    </svg>
  );
}
