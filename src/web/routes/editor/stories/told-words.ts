import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { type EditorialKind, missingForPublication, type PublicationNeed } from '#domain/story-publication.ts';
import { listed } from '#web/ui/text.ts';

/** How the two kinds of stories are called that editors tell. */
export const TOLD_WORDS = {
  awardee: {
    many: 'Awardees',
    one: 'awardee',
    lead: 'Households that a grant has helped. Each one that is published counts as a grant awarded.',
    empty: 'No awardees yet. Tell of the first household that a grant has helped.',
    placeholder: 'What was done, and what has changed at home?',
    namePlaceholder: 'Such as “The Rivera family”',
  },
  installer: {
    many: 'Installers',
    one: 'installer',
    lead: 'The people and firms who do the work that grants pay for.',
    empty: 'No installers yet. Tell of the first who does the work.',
    placeholder: 'Who are they, and what do they do for warm homes?',
    namePlaceholder: 'A person or a firm',
  },
} as const satisfies Record<EditorialKind, Readonly<Record<string, string>>>;

/** What a person reads of a status. */
export const STATUS_WORDS: Readonly<Record<StoryStatus, string>> = {
  draft: 'Draft',
  published: 'Published',
  hidden: 'Hidden',
};

const NEED_WORDS: Readonly<Record<PublicationNeed, string>> = { file: 'a photo', consent: 'the consent' };

/** What keeps a story from being published: "a photo and the consent"; empty where nothing does. */
export function needWords(needs: readonly PublicationNeed[]): string {
  return listed(needs.map((need) => NEED_WORDS[need]));
}

export function needsOf(
  kind: EditorialKind,
  { photo, consent }: Pick<EditorialStory, 'photo' | 'consent'>,
): PublicationNeed[] {
  return missingForPublication(kind, { hasPhoto: photo !== null, hasConsent: consent?.given ?? false });
}

/** What a toast says of a story whose status was changed. */
export function statusSentence(name: string, status: StoryStatus): string {
  switch (status) {
    case 'published':
      return `${name} is published`;
    case 'hidden':
      return `${name} is hidden`;
    case 'draft':
      return `${name} is a draft again`;
  }
}
