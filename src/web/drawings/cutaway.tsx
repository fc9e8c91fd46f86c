import cutaway from './cutaway.svg';

/** Where a grant goes: a house in section with four marked measures, by the numbers of the text beside it. */
export function Cutaway({ className }: { className?: string | undefined }) {
  return (
    <img
      className={className}
      src={cutaway}
      width={520}
      height={380}
      alt="A house in section: 1 insulated attic, 2 sealed windows, 3 heat pump, 4 warm rooms"
    />
  );
}
