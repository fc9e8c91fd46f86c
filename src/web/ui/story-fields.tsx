import type { ReactNode } from 'react';
import { lengthOf, type ShownAs, STORY_MAXIMUM, STORY_MINIMUM, shownName } from '#domain/profile.ts';
import { type Choice, ChoiceGroup } from './choice.tsx';

type ShownAsChoiceProps = {
  name: string;
  value: ShownAs;
  onChange: (shownAs: ShownAs) => void;
  /** Explains what happens if the donor isn't shown. */
  withoutPage: string;
};

/** Decisions §5. */
export function ShownAsChoice({ name, value, onChange, withoutPage }: ShownAsChoiceProps) {
  return (
    <ChoiceGroup
      legend="How should we show you?"
      options={choicesFor(name.trim(), withoutPage)}
      value={value}
      onChange={onChange}
    />
  );
}

function choicesFor(name: string, withoutPage: string): readonly Choice<ShownAs>[] {
  const as = (shownAs: ShownAs): ReactNode => (name === '' ? undefined : `“${shownName(name, shownAs)}”`);
  return [
    { value: 'full', label: 'Show my full name', hint: as('full') },
    { value: 'first', label: 'Show my first name only', hint: as('first') },
    { value: 'none', label: 'Don’t show me', hint: withoutPage },
  ];
}

/** The character count below a story (§5). */
export function storyHint(story: string): string {
  const length = lengthOf(story);
  if (length < STORY_MINIMUM) return `${length} of at least ${STORY_MINIMUM} characters.`;
  return `${length.toLocaleString('en')} of ${STORY_MAXIMUM.toLocaleString('en')} characters`;
}
