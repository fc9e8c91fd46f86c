import { type ChangeEvent, useId, useState } from 'react';
import { PHOTO_FORMATS, photoWarning } from '#domain/profile.ts';
import { m } from '#messages';
import { classNames } from './class-names.ts';
import fieldStyles from './field.module.css';
import { Icon } from './icon.tsx';
import styles from './photo-field.module.css';
import { RichText } from './rich-text.tsx';
import { usePhotoUrl } from './use-photo-url.ts';

type PhotoFieldProps = {
  label?: string;
  /** wide: for a full-width picture. */
  shape?: 'square' | 'wide';
  photo: File | undefined;
  currentUrl?: string | undefined;
  isOptional?: boolean;
  problem: string | undefined;
  /** A warning about the width and height of the chosen photo, in pixels. */
  getWarning?: (size: PhotoSize) => string | undefined;
  onPhoto: (photo: File | undefined) => void;
  /** Called if the browser can't decode the chosen photo. */
  onUnreadable?: (photo: File) => void;
};

export type PhotoSize = { readonly width: number; readonly height: number };

/** A field for a photo. The visitor can click it or drop a file on it. */
export function PhotoField(props: PhotoFieldProps) {
  const {
    label = m.photoLabel(),
    shape = 'square',
    photo,
    currentUrl,
    isOptional = false,
    problem,
    getWarning,
    onPhoto,
    onUnreadable,
  } = props;
  const id = useId();
  const [photoSize, setPhotoSize] = useState<PhotoSize & { readonly photo: File }>();
  const sizeWarning = photoSize && photoSize.photo === photo ? getWarning?.(photoSize) : undefined;
  const warning = photo && problem === undefined ? (photoWarning(photo.size) ?? sizeWarning) : undefined;
  const handleChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onPhoto(currentTarget.files?.[0]);
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} className={fieldStyles.label}>
        {label}
      </label>
      <div
        className={classNames(problem === undefined ? styles.frame : styles.invalid, shape === 'wide' && styles.wide)}
      >
        <PhotoPreview
          photo={photo}
          currentUrl={currentUrl}
          isInvalid={problem !== undefined}
          onSize={setPhotoSize}
          onUnreadable={onUnreadable}
        />
        <div id={`${id}-about`}>
          <p className={styles.name}>
            {photo?.name ?? (
              <RichText
                text={currentUrl === undefined ? m.photoChoose() : m.photoChooseAnother()}
                tags={{ drop: (words) => <span className={styles.drop}>{words}</span> }}
              />
            )}
          </p>
          <p className={fieldStyles.hint}>{photo ? m.photoChosen({ size: formatSize(photo) }) : m.photoFormats()}</p>
        </div>
        {/* Covers the frame, so that the browser handles clicks and drops anywhere in it. */}
        <input
          id={id}
          name="file"
          type="file"
          required={!isOptional && currentUrl === undefined}
          accept={PHOTO_FORMATS.join(',')}
          className={styles.input}
          aria-describedby={`${id}-about ${id}-warning ${id}-problem`}
          aria-invalid={problem === undefined ? undefined : true}
          // Lets the visitor choose the same file again, for example after an error.
          onClick={({ currentTarget }) => {
            currentTarget.value = '';
          }}
          onChange={handleChange}
        />
      </div>
      <output id={`${id}-warning`} className={styles.warning}>
        {warning}
      </output>
      <p id={`${id}-problem`} className={fieldStyles.error} aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

type PhotoPreviewProps = Pick<PhotoFieldProps, 'photo' | 'currentUrl'> & {
  isInvalid: boolean;
  onUnreadable: ((photo: File) => void) | undefined;
  onSize: (size: PhotoSize & { readonly photo: File }) => void;
};

/**
 * Renders the chosen photo, or an icon if the browser can't decode it. If no photo is chosen, renders the current one.
 */
function PhotoPreview({ photo, currentUrl: savedUrl, isInvalid, onSize, onUnreadable }: PhotoPreviewProps) {
  const [brokenPhoto, setBrokenPhoto] = useState<File>();
  const handleBroken = (unreadablePhoto: File) => {
    setBrokenPhoto(unreadablePhoto);
    onUnreadable?.(unreadablePhoto);
  };
  if (photo && photo !== brokenPhoto) {
    return (
      <div className={styles.preview}>
        <PhotoImage photo={photo} onBroken={() => handleBroken(photo)} onSize={onSize} />
      </div>
    );
  }
  const showsCurrentPhoto = !photo && savedUrl !== undefined;
  return (
    <div className={styles.preview}>
      {showsCurrentPhoto ? (
        <img src={savedUrl} alt="" />
      ) : (
        <Icon name={photo && !isInvalid ? 'check' : 'camera'} size={32} />
      )}
    </div>
  );
}

type PhotoImageProps = Pick<PhotoPreviewProps, 'onSize'> & { photo: File; onBroken: () => void };

function PhotoImage({ photo, onBroken, onSize }: PhotoImageProps) {
  const url = usePhotoUrl(photo);
  return (
    <img
      src={url}
      alt=""
      onError={onBroken}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize({ photo, width, height })}
    />
  );
}

const KILOBYTE = 1024;

/** "4.2 MB", or "310 KB" below 1 MB. */
function formatSize({ size }: File): string {
  const megabytes = size / KILOBYTE / KILOBYTE;
  return megabytes < 1 ? `${Math.max(1, Math.round(size / KILOBYTE))} KB` : `${megabytes.toFixed(1)} MB`;
}
