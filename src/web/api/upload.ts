import { OfflineError, problemOf } from './api-error.ts';

export type Upload = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: FormData;
  /** Told how much is sent, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Sends a multipart form and tells how far it is, which fetch cannot.
 * @returns the content of the answer
 * @throws ApiProblem when it is refused, OfflineError when nobody answers, an AbortError when `signal` aborts it
 */
export function sendForm(upload: Upload): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(upload.method, upload.url);
    request.withCredentials = true;
    for (const [name, value] of Object.entries(upload.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => upload.onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status < 400) resolve(request.responseText);
      else reject(problemOf(request.status, request.responseText));
    };
    request.onerror = () => reject(new OfflineError());
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    upload.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(upload.form);
  });
}
