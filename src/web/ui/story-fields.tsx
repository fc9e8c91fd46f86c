import type { ReactNode } from 'react';
import { formatWhole } from '#domain/money.ts';
import { MAX_STORY_LENGTH, MIN_STORY_LENGTH, publicName, type ShownAs, visibleLength } from '#domain/profile.ts';
import { m } from '#messages';
import { type Choice, ChoiceGroup } from './choice.tsx';

type ShownAsChoiceProps = {
  name: string;
  value: ShownAs;
  onChange: (shownAs: ShownAs) => void;
  /** Explains the option to hide the donor; undefined if it isn't offered. */
  withoutPage?: string | undefined;
};

/** Choice of how the donor is shown (decisions §5). */
export function ShownAsChoice({ name, value, onChange, withoutPage }: ShownAsChoiceProps) {
  return (
    <ChoiceGroup
      legend={m.shownAsTitle()}
      layout={withoutPage === undefined ? 'row' : 'column'}
      options={choicesFor(name.trim(), withoutPage)}
      value={value}
      onChange={onChange}
    />
  );
}

function choicesFor(name: string, withoutPage: string | undefined): readonly Choice<ShownAs>[] {
  const preview = (shownAs: ShownAs): ReactNode => (name === '' ? undefined : `“${publicName(name, shownAs)}”`);
  return [
    { value: 'full', label: m.shownAsFull(), hint: preview('full') },
    { value: 'first', label: m.shownAsFirst(), hint: preview('first') },
    ...(withoutPage === undefined ? [] : [{ value: 'none' as const, label: m.shownAsNone(), hint: withoutPage }]),
  ];
}

/** The character count below a story (§5). */
export function storyHint(story: string): string {
  const length = visibleLength(story);
  if (length < MIN_STORY_LENGTH) return m.charactersOfLeast({ length: String(length), min: String(MIN_STORY_LENGTH) });
  return m.charactersOf({ length: formatWhole(length), max: formatWhole(MAX_STORY_LENGTH) });
}
