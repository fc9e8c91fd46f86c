export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Frees the memory once the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
