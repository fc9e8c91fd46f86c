import cutaway from './cutaway.svg';

type CutawayProps = { className?: string | undefined; loading: 'eager' | 'lazy' };

/** Where a grant goes: a house in section with four marked measures, by the numbers of the text beside it. */
export function Cutaway({ className, loading }: CutawayProps) {
  return (
    <img
      className={className}
      src={cutaway}
      width={520}
      height={380}
      loading={loading}
      alt="A house in section: 1 insulated attic, 2 sealed windows, 3 heat pump, 4 warm rooms"
    />
  );
}
