import type { StoryStatus } from '#domain/profile.ts';
import { StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { STATUS_WORDS } from './told-words.ts';

const TONES: Readonly<Record<StoryStatus, Tone>> = { draft: 'waiting', published: 'done', hidden: 'plain' };

type StoryStatusMarkProps = {
  status: StoryStatus;
  /** Where the kind of story has a word of its own for it. */
  word?: string | undefined;
};

/** Whether a story is shown, in a word. */
export function StoryStatusMark({ status, word = STATUS_WORDS[status] }: StoryStatusMarkProps) {
  return <StatusMark tone={TONES[status]}>{word}</StatusMark>;
}
