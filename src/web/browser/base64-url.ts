/** Encodes text for use in a URL. */
export function encodeBase64Url(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** @returns undefined if the text isn't base64url-encoded UTF-8 */
export function decodeBase64Url(encodedText: string): string | undefined {
  try {
    const binary = atob(encodedText.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
