import { type SubmitEvent, useState } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { photoFailure } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { UploadProgress } from '#web/ui/upload-progress.tsx';
import styles from './org-settings.module.css';
import type { HeaderPhoto } from './use-header-photo.ts';

type HeaderPhotoFormProps = {
  photo: Org['photo'];
  header: HeaderPhoto;
  onUpload: () => void;
  onRemove: () => Promise<void>;
};

/** The photo behind the tag on the home page (§2). */
export function HeaderPhotoForm({ photo: existing, header, onUpload, onRemove }: HeaderPhotoFormProps) {
  const [asking, setAsking] = useState(false);
  const { photo, sent, problem, choose } = header;
  const sending = sent !== undefined;
  const failure = photo && photoFailure(photo);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onUpload();
  };
  return (
    <section aria-labelledby="header-photo" className={styles.card}>
      <h2 id="header-photo">Header photo</h2>
      <p className={styles.lead}>
        It stands behind the tag on the home page, darkened so that the words can be read: a wide picture of your city
        does best. Without one a drawn valley stands there.
      </p>
      <form onSubmit={submit} noValidate>
        <fieldset disabled={sending} className={styles.header}>
          <PhotoField
            label="Photo"
            shape="wide"
            photo={photo}
            existing={existing?.url}
            problem={problem ?? failure?.message}
            onPhoto={choose}
          />
        </fieldset>
        {sending && <UploadProgress sent={sent} what="the photo" />}
        <div className={styles.foot}>
          <Button type="submit" busy={sending} disabled={!photo || failure !== undefined}>
            {sending ? 'Uploading…' : 'Upload'}
          </Button>
          {existing && (
            <Button kind="quiet" className={styles.remove} disabled={sending} onClick={() => setAsking(true)}>
              <Icon name="trash" /> Remove the photo
            </Button>
          )}
        </div>
      </form>
      {asking && <RemovePhotoDialog onRemove={onRemove} onClose={() => setAsking(false)} />}
    </section>
  );
}

type RemovePhotoDialogProps = { onRemove: () => Promise<void>; onClose: () => void };

function RemovePhotoDialog({ onRemove, onClose }: RemovePhotoDialogProps) {
  const { busy, problem, run } = useAttempt();
  const confirm = async () => {
    if (await run(onRemove)) onClose();
  };
  return (
    <ConfirmDialog
      title="Remove the photo"
      confirm="Remove"
      destructive
      busy={busy}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>The home page then shows the drawn valley again. To have the photo back you would have to upload it again.</p>
    </ConfirmDialog>
  );
}
