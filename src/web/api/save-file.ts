export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read it; without this it would stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
