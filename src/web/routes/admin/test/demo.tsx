import { type ReactNode, useId } from 'react';
import { classNames } from '#web/ui/class-names.ts';
import { Stack } from '#web/ui/layout.tsx';
import styles from './demo.module.css';

export function DemoSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id}>{title}</h2>
      <div className={styles.grid}>{children}</div>
    </section>
  );
}

type DemoProps = {
  title: string;
  wide?: boolean;
  children: ReactNode;
};

export function Demo({ title, wide = false, children }: DemoProps) {
  return (
    <article className={classNames(styles.demo, wide && styles.wide)}>
      <h3>{title}</h3>
      <Stack className={styles.states}>{children}</Stack>
    </article>
  );
}
