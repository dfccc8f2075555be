/** A file in a form. The client chooses name and type: good for display, not for decisions. */
export interface FilePart {
  filename: string
  mimeType: string
  bytes: Buffer
}

/** True if this value was sent as a file; a field that merely looks like one was not. */
export function isFilePart(value: unknown): value is FilePart {
  return typeof value === 'object' && value !== null && fileParts.has(value)
}

const fileParts = new WeakSet<object>()

export function newFilePart(filename: string, mimeType: string, bytes: Buffer): FilePart {
  const part = { filename, mimeType, bytes }
  fileParts.add(part)
  return part
}
