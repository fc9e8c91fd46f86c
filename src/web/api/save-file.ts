/** Hands a text, or what was downloaded, to the browser, to be kept as a file. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by then, and without this it would stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
