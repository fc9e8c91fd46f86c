/** Hands a text to the browser, to be kept as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by then, and without this it would stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
