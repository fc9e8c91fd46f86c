import { type SubmitEvent, useState } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { formatWhole } from '#domain/money.ts';
import { photoFailure } from '#domain/profile.ts';
import { m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { UploadProgress } from '#web/forms/form-card.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { PhotoField, type PhotoSize } from '#web/ui/photo-field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from './org.module.css';

type PhotoValues = { readonly file: File | undefined };

export function useHeaderPhoto(api: ApiClient, orgId: string) {
  const form = useForm<PhotoValues, 'file'>({
    initial: { file: undefined },
    fields: ['file'],
    validate: ({ file }) => problemsByField({ file: file && photoFailure(file) }),
  });
  const { file: photo } = form.values;
  const [unreadablePhoto, setUnreadablePhoto] = useState<File>();
  const isUnreadable = photo !== undefined && photo === unreadablePhoto;
  const problem = form.error?.message ?? form.problems.file ?? (isUnreadable ? m.failPhotoUnreadable() : undefined);
  /**
   * @param prepare runs before the upload, while the form already shows its progress
   * @returns the result of `prepare`; undefined if the upload failed, which the form then shows
   */
  const upload = async <Result,>(prepare: () => Promise<Result>): Promise<{ readonly result: Result } | undefined> => {
    if (!photo) return undefined;
    const response = await form.submit(async (onProgress) => {
      const result = await prepare();
      await api.upload('replaceHeader', { params: { orgid: orgId }, form: toFormData(photo), onProgress });
      return result;
    });
    if (response) form.setValues({ file: undefined });
    return response;
  };
  return {
    photo,
    progress: form.progress,
    // After a connection failure, the same photo can be sent again.
    isValid: form.problems.file === undefined && form.error?.field !== 'file' && !isUnreadable,
    problem,
    markUnreadable: setUnreadablePhoto,
    choose: (file: File | undefined) => form.change({ file }),
    upload,
  };
}

type HeaderChange = {
  api: ApiClient;
  orgId: string;
  /** The current photo. */
  photo: Org['photo'];
  onChanged: () => void;
};

/** Replaces or removes the photo, with a button that restores the previous one. */
export function useHeaderChange({ api, orgId, photo, onChanged }: HeaderChange) {
  const header = useHeaderPhoto(api, orgId);
  const toast = useToast();
  const params = { orgid: orgId };
  const undo = async (previous: File | 'none') => {
    try {
      if (previous === 'none') await api.call('removeHeader', { params });
      else await api.upload('replaceHeader', { params, form: toFormData(previous), onProgress: () => {} });
      onChanged();
      toast('Previous photo restored');
    } catch (error) {
      toast(failureMessage(error));
    }
  };
  /** Downloads the previous photo so that the change can be undone: the server deletes a replaced photo. */
  const downloadPrevious = async () => (photo ? downloadPhoto(photo.url) : 'none');
  const finish = (previous: File | 'none' | undefined) => {
    onChanged();
    toast('saved', previous && { label: 'Undo', run: () => void undo(previous) });
  };
  return {
    header,
    upload: async () => {
      const response = await header.upload(downloadPrevious);
      if (response) finish(response.result);
    },
    remove: async () => {
      const previous = await downloadPrevious();
      await api.call('removeHeader', { params });
      finish(previous);
    },
  };
}

function toFormData(photo: File): FormData {
  const form = new FormData();
  form.set('file', photo);
  return form;
}

const DOWNLOAD_TIMEOUT_MS = 5000;

/** @returns undefined if the download fails or takes too long; the change then can't be undone */
async function downloadPhoto(url: string): Promise<File | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    return response.ok ? new File([await response.blob()], 'photo.webp', { type: 'image/webp' }) : undefined;
  } catch {
    return undefined;
  }
}

type HeaderPhotoFormProps = {
  photo: Org['photo'];
  header: ReturnType<typeof useHeaderPhoto>;
  onUpload: () => void;
  onRemove: () => Promise<void>;
};

/** The photo behind the tag on the home page (§2). */
export function HeaderPhotoForm({ photo: currentPhoto, header, onUpload, onRemove }: HeaderPhotoFormProps) {
  const [isRemoveDialogOpen, setIsRemoveDialogOpen] = useState(false);
  const { photo, progress, problem, isValid, choose, markUnreadable } = header;
  const sending = progress !== undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onUpload();
  };
  return (
    <Card aria-labelledby="header-photo" className={styles.card}>
      <h2 id="header-photo">Header photo</h2>
      <p className={styles.lead}>
        Shown behind the tagline, darkened so the text stays readable. Wide city photos work best. Without one, we show
        our illustration.
      </p>
      <form onSubmit={submit} noValidate>
        <fieldset disabled={sending} className={styles.header}>
          <PhotoField
            label="Photo"
            shape="wide"
            photo={photo}
            currentUrl={currentPhoto?.url}
            isOptional
            problem={problem}
            getWarning={getSmallPhotoWarning}
            onPhoto={choose}
            onUnreadable={markUnreadable}
          />
        </fieldset>
        {sending && <UploadProgress fraction={progress} subject="the photo" />}
        <Cluster className={styles.foot}>
          <Button type="submit" busy={sending} unavailable={!photo || !isValid}>
            {sending ? 'Uploading…' : 'Upload'}
          </Button>
          {currentPhoto && (
            <Button
              kind="quiet"
              className={styles.remove}
              disabled={sending}
              onClick={() => setIsRemoveDialogOpen(true)}
            >
              <Icon name="trash" /> Remove the photo
            </Button>
          )}
        </Cluster>
      </form>
      {isRemoveDialogOpen && <RemovePhotoDialog onRemove={onRemove} onClose={() => setIsRemoveDialogOpen(false)} />}
    </Card>
  );
}

/** A narrower photo looks blurry on a laptop screen. */
const MIN_WIDTH = 1280;

export function getSmallPhotoWarning({ width, height }: PhotoSize): string | undefined {
  if (width >= MIN_WIDTH) return undefined;
  return `This photo is only ${width} × ${height} pixels and will look blurry. Choose one at least ${formatWhole(MIN_WIDTH)} pixels wide.`;
}

function RemovePhotoDialog({ onRemove, onClose }: { onRemove: () => Promise<void>; onClose: () => void }) {
  const remove = async () => {
    await onRemove();
    onClose();
  };
  return (
    <ConfirmDialog title="Remove the photo" confirmLabel="Remove" destructive onConfirm={remove} onClose={onClose}>
      <p>The home page will show our illustration again.</p>
    </ConfirmDialog>
  );
}
