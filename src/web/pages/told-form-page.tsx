import type { ToldKind } from '#domain/story-publication.ts';
import { ToldConflictDialog } from '../features/story-editing/told-conflict-dialog.tsx';
import { ToldForm } from '../features/story-editing/told-form.tsx';
import { TOLD_WORDS } from '../features/story-editing/told-words.ts';
import type { OrgFrame } from '../page-data.ts';
import type { ToldStoryData } from '../story-editing-data.ts';
import { LeaveDialog } from '../ui/leave-dialog.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { ToldPreview } from './told-preview.tsx';
import { useToldFormPage } from './use-told-form-page.ts';

type ToldFormPageProps = OrgFrame & ToldStoryData & { kind: ToldKind };

/** An awardee or an installer, to be made or edited, and how it will look. */
export function ToldFormPage(props: ToldFormPageProps) {
  return <ToldFormById key={props.story?.id ?? ''} {...props} />;
}

function ToldFormById({ kind, ...data }: ToldFormPageProps) {
  const { edit, leaving, save, saveOver, cancel } = useToldFormPage(kind, data);
  const { newer } = edit;
  const words = TOLD_WORDS[kind];
  return (
    <EditorFrame org={data.org} title={`${data.story ? 'Edit' : 'Add'} ${words.one}`}>
      <ToldForm edit={edit} onSave={(status) => void save(status)} onCancel={cancel} />
      <ToldPreview edit={edit} />
      {newer && (
        <ToldConflictDialog
          newer={newer}
          mine={edit.draft}
          onKeepMine={() => void saveOver(newer)}
          onTakeTheirs={() => edit.takeTheirs(newer)}
          onGoOn={edit.goOn}
        />
      )}
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
    </EditorFrame>
  );
}
