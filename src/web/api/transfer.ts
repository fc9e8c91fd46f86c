import { reportNetworkFailure, toApiProblem } from './api-error.ts';

type Upload = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: FormData;
  /** Receives the fraction sent so far, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Sends a multipart form with XMLHttpRequest, because fetch can't report progress.
 * @returns the response's text
 * @throws ApiProblem if the upload is rejected, OfflineError if the network fails, AbortError if `signal` is aborted
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
      else reject(toApiProblem(request.status, request.responseText));
    };
    request.onerror = () => reject(reportNetworkFailure());
    request.onabort = () => reject(new DOMException('The upload was aborted.', 'AbortError'));
    upload.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(upload.form);
  });
}

const LINE_FEED = 10;

/**
 * Reads a file as it arrives.
 * @param lineCount number of lines below the header of a text file, if known; line breaks within cells can add more
 * @param onProgress receives the fraction received so far, from 0 to 1
 * @throws if the file has fewer lines than `lineCount`
 */
export async function downloadFile(
  response: Response,
  lineCount: number | undefined,
  onProgress: (fraction: number) => void = () => {},
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let lineBreaks = -1;
  const reader = response.body?.getReader();
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    chunks.push(chunk.value);
    lineBreaks += chunk.value.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
    onProgress(lineCount ? Math.max(0, Math.min(1, lineBreaks / lineCount)) : 1);
  }
  if (lineCount !== undefined && lineBreaks < lineCount)
    throw new Error(`The download ended after ${Math.max(0, lineBreaks)} of ${lineCount} lines.`);
  return new Blob(chunks);
}
