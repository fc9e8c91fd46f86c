import type { EditorialKind } from '#domain/story-publication.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import type { ToldStoryData } from './route.ts';
import { ToldConflictDialog } from './told-conflict-dialog.tsx';
import { ToldForm } from './told-form.tsx';
import { ToldPreview } from './told-preview.tsx';
import { TOLD_WORDS } from './told-words.ts';
import { useToldFormPage } from './use-told-form-page.ts';

type ToldFormPageProps = OrgFrame & ToldStoryData & { kind: EditorialKind };

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
