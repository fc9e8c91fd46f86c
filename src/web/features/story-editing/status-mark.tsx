import type { StoryStatus } from '#domain/profile.ts';
import styles from './story-editing.module.css';
import { STATUS_WORDS } from './told-words.ts';

/** Whether a story is shown, in a word. */
export function StatusMark({
  status,
  word = STATUS_WORDS[status],
}: {
  status: StoryStatus;
  word?: string | undefined;
}) {
  return <span className={styles[status]}>{word}</span>;
}
