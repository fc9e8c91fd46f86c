import { CellText } from '#web/ui/markdown.tsx';
import styles from './home-intro.module.css';

/** What the fund is, in the cell's own words: a list in it stands beside them where there is room. */
export function HomeIntro({ html }: { html: string }) {
  return (
    <section className={styles.intro}>
      <CellText html={html} className={styles.text} />
    </section>
  );
}
