import { OfflineError, problemOf } from './api-error.ts';

type Upload = {
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

const LINE_FEED = 10;

/**
 * Reads a file of lines as it comes.
 * @param lines how many there are below its heading; a cell may have line breaks of its own, so that more can be seen
 * @param onProgress told how much of it has come, from 0 to 1
 * @throws when it ends before all of its lines are there
 */
export async function readFile(
  answer: Response,
  lines: number,
  onProgress: (fraction: number) => void = () => {},
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let seen = -1;
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    seen += part.value.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
    onProgress(lines === 0 ? 1 : Math.max(0, Math.min(1, seen / lines)));
  }
  if (seen < lines) throw new Error(`Of ${lines} lines ${Math.max(0, seen)} came.`);
  return new Blob(parts);
}
