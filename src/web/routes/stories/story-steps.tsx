import type { Neighbours } from '#contract/schemas/stories.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './story-steps.module.css';

type StoryStepsProps = {
  neighbours: Neighbours;
  /** The list that the story is of: what its link says, and where it is. */
  all: { label: string; to: string };
  /** disabled: a way that leads nowhere is shown, and cannot be pressed. absent: it is left out. */
  withoutNeighbour: 'disabled' | 'absent';
};

/** To the story before, to all of them, to the one after (§2). */
export function StorySteps({ neighbours, all, withoutNeighbour }: StoryStepsProps) {
  const { previous, next } = neighbours;
  const showsEmpty = withoutNeighbour === 'disabled';
  return (
    <nav aria-label="Stories" className={styles.steps}>
      {(previous || showsEmpty) && <Step label="Previous" icon="previous" neighbour={previous} />}
      <ButtonLink kind="outline" to={all.to} className={styles.all}>
        {all.label}
      </ButtonLink>
      {(next || showsEmpty) && <Step label="Next" icon="next" neighbour={next} />}
    </nav>
  );
}

type StepProps = { label: string; icon: Extract<IconName, 'previous' | 'next'>; neighbour: Neighbours['next'] };

function Step({ label, icon, neighbour }: StepProps) {
  const words = (
    <>
      {icon === 'previous' && <Icon name={icon} />}
      <span>
        {label}
        {neighbour && (
          <>
            <VisuallyHidden>: </VisuallyHidden>
            <span className={styles.name}>{neighbour.name}</span>
          </>
        )}
      </span>
      {icon === 'next' && <Icon name={icon} />}
    </>
  );
  if (!neighbour) {
    return (
      <Button kind="outline" disabled>
        {words}
      </Button>
    );
  }
  return (
    <ButtonLink kind="outline" to={neighbour.profileURL}>
      {words}
    </ButtonLink>
  );
}
