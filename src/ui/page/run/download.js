// @ts-check
// A file for the person's own disk. It is not opened here, whatever it is.

/** @param {string} name @param {BlobPart} content */
export function download(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
