import { m } from '#messages';
import cutaway from './cutaway.svg';

type CutawayProps = { className?: string | undefined; loading: 'eager' | 'lazy' };

/** A house with the four measures that grants pay for. The text next to it explains the numbers. */
export function Cutaway({ className, loading }: CutawayProps) {
  return <img className={className} src={cutaway} width={520} height={380} loading={loading} alt={m.cutaway()} />;
}
