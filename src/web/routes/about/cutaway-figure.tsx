import { m } from '#messages';
import { Cutaway } from '#web/drawings/cutaway.tsx';
import styles from './about.module.css';

/** The house with the measures that grants pay for, and a caption that explains its numbers. */
export function CutawayFigure() {
  return (
    <figure>
      <Cutaway className={styles.drawing} loading="eager" />
      <figcaption>
        <ol className={styles.measures}>
          <li>{m.cutawayAttic()}</li>
          <li>{m.cutawayWindows()}</li>
          <li>{m.cutawayHeatPump()}</li>
          <li>{m.cutawayRooms()}</li>
        </ol>
      </figcaption>
    </figure>
  );
}
