import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { FormPage } from '#web/forms/form-page.tsx';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import { DraftNote } from '#web/session/unsaved-draft-note.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { StoryArticle } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { useToast } from '#web/ui/toast.tsx';
import { usePhotoUrl } from '#web/ui/use-photo-url.ts';
import { EditorArea } from '../editor-frame.tsx';
import { EditorialForm, StoryConflictDialog } from './editorial-form.tsx';
import { describeStatus, KIND_LABELS, listPath } from './editorial-story.ts';
import { type EditorialStoryData, editorialStoryQuery } from './route.ts';
import styles from './stories.module.css';
import { type ConflictingStory, type EditorialEdit, useEditorialEdit } from './use-editorial-edit.ts';

/** Adds or edits an awardee or an installer, with a preview. */
export function EditorialFormPage({ storyId, ...props }: OrgPageProps & EditorialStoryData) {
  if (storyId === undefined) return <EditorialFormView key="new" {...props} story={undefined} />;
  return <EditStory key={storyId} {...props} storyId={storyId} />;
}

type FormProps = OrgPageProps & Pick<EditorialStoryData, 'kind'> & { story: EditorialStory | undefined };

function EditStory({ storyId, ...props }: Omit<FormProps, 'story'> & { storyId: string }) {
  const { data: story } = useSuspenseQuery(editorialStoryQuery(useApi(), props.kind, props.org.id, storyId));
  return <EditorialFormView {...props} story={story} />;
}

function EditorialFormView(props: FormProps) {
  const { org, kind, story } = props;
  const { edit, leaveGuard, save, overwrite, cancel } = useEditorialPage(props);
  const { newer } = edit;
  return (
    <EditorArea org={org}>
      <FormPage
        title={`${story ? 'Edit' : 'Add'} ${KIND_LABELS[kind].singular}`}
        actions={kind === 'awardee' && story && <GrantsLink orgId={org.id} home={story.id} />}
        leaveGuard={leaveGuard}
      >
        <DraftNote draft={edit.formDraft} />
        <EditorialForm edit={edit} onSave={(status) => void save(status)} onCancel={cancel} />
        <StoryPreview edit={edit} />
        {newer && (
          <StoryConflictDialog
            newer={newer}
            ownVersion={edit.draft}
            onOverwrite={() => void overwrite(newer)}
            onTakeTheirs={() => edit.takeTheirs(newer)}
            onKeepEditing={edit.keepEditing}
          />
        )}
      </FormPage>
    </EditorArea>
  );
}

function GrantsLink({ orgId, home }: { orgId: string; home: string }) {
  return <Link to={`${pagePath('grants-page', { orgid: orgId })}?home=${home}`}>Grants for this home</Link>;
}

function useEditorialPage({ kind, org, story }: FormProps) {
  const toast = useToast();
  const navigator = useNavigator();
  const listUrl = listPath(kind, org.id);
  const edit = useEditorialEdit(kind, org.id, story);
  const leaveGuard = useLeaveGuard(edit.isUnsaved);
  const [lastStatus, setLastStatus] = useState<StoryStatus>();
  const save = async (status: StoryStatus | undefined, overwritten?: ConflictingStory) => {
    setLastStatus(status);
    const savedStory = await edit.save(status, overwritten);
    if (!savedStory) return;
    edit.formDraft.clear();
    const isFirstDraft = !story && savedStory.status === 'draft';
    if (isFirstDraft) toast(`${savedStory.name} is saved as a draft`);
    else
      toast(
        savedStory.status === story?.status
          ? `${savedStory.name} is saved`
          : describeStatus(savedStory.name, savedStory.status),
      );
    leaveGuard.release();
    await navigator.go(listUrl);
  };
  const overwrite = (newer: ConflictingStory) => save(lastStatus, newer);
  return { edit, leaveGuard, save, overwrite, cancel: () => void navigator.go(listUrl) };
}

const KIND_SCENES = { awardee: SCENES.awardees, installer: SCENES.installers } as const satisfies Record<
  EditorialKind,
  string
>;

/** Inert preview of the story's card and page. */
function StoryPreview({ edit }: { edit: EditorialEdit }) {
  const profile = toProfile(edit, usePhotoUrl(edit.photo));
  const scene = KIND_SCENES[edit.kind];
  return (
    <section className={styles.section} aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p className={styles.lead}>How visitors will see it, in the list and on its page.</p>
      <div className={styles.previews} inert>
        <div className={styles.previewCard}>
          <ProfileCard profile={profile} scene={scene} headingLevel={4} sizes="300px" />
        </div>
        <div className={styles.previewPage}>
          <StoryArticle profile={profile} scene={scene}>
            {null}
          </StoryArticle>
        </div>
      </div>
    </section>
  );
}

/** Placeholder size, since the size of a new photo isn't known before the browser loads it. */
const PLACEHOLDER_SIZE = { width: 1200, height: 800, sources: [] };

function toProfile({ saved, draft }: EditorialEdit, newPhotoUrl: string | undefined): Profile {
  const photo = newPhotoUrl === undefined ? (saved?.photo ?? null) : { url: newPhotoUrl, ...PLACEHOLDER_SIZE };
  return {
    id: saved?.id ?? 'new',
    name: draft.name.trim() || 'Name',
    story: draft.story.trim() || 'The story appears here.',
    photoURL: photo?.url ?? null,
    photo,
    profileURL: '',
    createdTimestamp: saved?.createdTimestamp ?? new Date(0).toISOString(),
  };
}
