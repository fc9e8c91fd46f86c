import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LeaveDialog } from '#web/ui/leave-dialog.tsx';
import { Page } from '#web/ui/page.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page-title.tsx';
import type { EditOffsetterData } from '../route.ts';
import { EditForm } from './edit-form.tsx';
import styles from './edit-offsetter-page.module.css';
import { useEditOffsetterPage } from './use-edit-offsetter-page.ts';

type EditOffsetterPageProps = OrgFrame & EditOffsetterData;

/** An offsetter, to be changed by its owner or an admin (§2). */
export function EditOffsetterPage(props: EditOffsetterPageProps) {
  return <EditOffsetterById key={props.offsetter.id} {...props} />;
}

function EditOffsetterById(props: EditOffsetterPageProps) {
  const { org, offsetter } = props;
  const page = useEditOffsetterPage(props);
  const { edit, leaving, deletion } = page;
  return (
    <Page narrow>
      <DocumentTitle parts={['Edit offsetter', org.name]} />
      <PageTitle>Edit offsetter</PageTitle>
      <p className={styles.lead}>
        {offsetter.mine
          ? 'Your story stands among our offsetters.'
          : `You are changing the story of ${offsetter.name}.`}
      </p>
      <EditForm
        edit={edit}
        onSave={() => void page.save()}
        onCancel={page.cancel}
        deleting={
          page.mayDelete && (
            <Button kind="remove" onClick={deletion.ask}>
              <Icon name="trash" /> Delete
            </Button>
          )
        }
      />
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
      {deletion.asking && (
        <ConfirmDialog
          title="Delete offsetter"
          confirm="Delete"
          destructive
          busy={deletion.busy}
          problem={deletion.problem}
          onConfirm={() => void deletion.confirm()}
          onClose={deletion.close}
        >
          <p>The story and the photo of {offsetter.name} are deleted. This cannot be undone. The gift itself stays.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
