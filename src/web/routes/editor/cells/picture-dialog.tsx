import { type SubmitEvent, useId, useState } from 'react';
import { failedSentence } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { UploadProgress } from '#web/ui/form-card.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import styles from './picture-dialog.module.css';

type PictureDialogProps = {
  api: ApiClient;
  orgid: string;
  /** The picture that was pasted or dropped. */
  given: File | undefined;
  onAdded: (address: string, description: string) => void;
  onClose: () => void;
};

/** Puts a picture into a text: which one, and what it shows, for those who cannot see it. */
export function PictureDialog({ api, orgid, given, onAdded, onClose }: PictureDialogProps) {
  const formId = useId();
  const [picture, setPicture] = useState(given);
  const [description, setDescription] = useState('');
  const { sent, problem, upload, clear } = usePictureUpload(api, orgid);
  const isBusy = sent !== undefined;
  const isReady = picture !== undefined && description.trim() !== '';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const address = await upload(picture);
    if (address !== undefined) onAdded(address, description);
  };
  const footer = (
    <>
      <Button kind="outline" disabled={isBusy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={isBusy} disabled={!isReady}>
        Put it in
      </Button>
    </>
  );
  return (
    <Dialog title="Put in a picture" open onClose={() => !isBusy && onClose()} footer={footer}>
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate>
        <fieldset disabled={isBusy} className={styles.fields}>
          <PhotoField
            label="Picture"
            photo={picture}
            problem={problem}
            onPhoto={(chosen) => {
              setPicture(chosen);
              clear();
            }}
          />
          <TextField
            label="What it shows"
            hint="For those who cannot see it: “Two volunteers carry insulation into an attic”."
            maxLength={250}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </fieldset>
        {isBusy && <UploadProgress sent={sent} what="the picture" />}
      </form>
    </Dialog>
  );
}

/** Sends a picture; what becomes of it is told where it was chosen. */
function usePictureUpload(api: ApiClient, orgid: string) {
  const [sent, setSent] = useState<number>();
  const [problem, setProblem] = useState<string>();
  return {
    sent,
    problem,
    clear: () => setProblem(undefined),
    /** @returns what a text names it by; nothing where it was refused */
    upload: async (picture: File): Promise<string | undefined> => {
      setProblem(undefined);
      setSent(0);
      try {
        const form = new FormData();
        form.append('file', picture);
        const { address } = await api.upload('addPicture', { params: { orgid }, form, onProgress: setSent });
        return address;
      } catch (error) {
        setProblem(failedSentence(error));
        return undefined;
      } finally {
        setSent(undefined);
      }
    },
  };
}
