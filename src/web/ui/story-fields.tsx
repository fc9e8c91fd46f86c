import type { ReactNode } from 'react';
import { formatWhole } from '#domain/money.ts';
import { formatPublicName, MAX_STORY_LENGTH, MIN_STORY_LENGTH, type ShownAs, visibleLength } from '#domain/profile.ts';
import { m } from '#messages';
import { type Choice, ChoiceGroup } from './choice.tsx';

type ShownAsChoiceProps = {
  name: string;
  value: ShownAs;
  onChange: (shownAs: ShownAs) => void;
  /** Explains the option to hide the donor; undefined if it isn't offered. */
  hiddenNote?: string | undefined;
};

/** Radio buttons for how the donor's name is shown, if at all (decisions §5). */
export function ShownAsChoice({ name, value, onChange, hiddenNote }: ShownAsChoiceProps) {
  return (
    <ChoiceGroup
      legend={m.shownAsTitle()}
      layout={hiddenNote === undefined ? 'row' : 'column'}
      options={getChoices(name.trim(), hiddenNote)}
      value={value}
      onChange={onChange}
    />
  );
}

function getChoices(name: string, hiddenNote: string | undefined): readonly Choice<ShownAs>[] {
  const getPreview = (shownAs: ShownAs): ReactNode =>
    name === '' ? undefined : `“${formatPublicName(name, shownAs)}”`;
  return [
    { value: 'full', label: m.shownAsFull(), hint: getPreview('full') },
    { value: 'first', label: m.shownAsFirst(), hint: getPreview('first') },
    ...(hiddenNote === undefined ? [] : [{ value: 'none' as const, label: m.shownAsNone(), hint: hiddenNote }]),
  ];
}

/** The character count below a story (§5). */
export function storyHint(story: string): string {
  const length = visibleLength(story);
  if (length < MIN_STORY_LENGTH) return m.charactersOfLeast({ length: String(length), min: String(MIN_STORY_LENGTH) });
  return m.charactersOf({ length: formatWhole(length), max: formatWhole(MAX_STORY_LENGTH) });
}
