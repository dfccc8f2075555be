import { isFilePart } from '#platform/http/file-part.ts'

/**
 * Form input that is carried through another page, which asks for a password or a sign-in first. It stays in the
 * browser, in a hidden input, so that the server stores nothing for anonymous requests. Passwords are not carried, as a
 * page never shows one again, and neither are files: the user enters both again.
 */
export interface PendingForm {
  path: string
  fields: [name: string, value: string][]
  passwords: string[]
  /** Names of the fields, and of the files that were chosen. */
  files: [field: string, fileName: string][]
}

/** Limit of the encoded form for anonymous requests: with the other fields it stays below their body limit. */
const pendingBytesMax = 60_000

/** Input of a request, without CSRF token and other internal fields. */
export function toPendingForm(path: string, form: Record<string, unknown>): PendingForm {
  const pending: PendingForm = { path, fields: [], passwords: [], files: [] }
  for (const [name, value] of Object.entries(form)) if (!name.startsWith('_')) addField(pending, name, value)
  return pending
}

/** Same for an anonymous request: undefined if it is too large. */
export function toAnonymousPendingForm(path: string, form: Record<string, unknown>): PendingForm | undefined {
  const pending = toPendingForm(path, form)
  return encodeURIComponent(JSON.stringify(pending).toWellFormed()).length > pendingBytesMax ? undefined : pending
}

function addField(pending: PendingForm, name: string, value: unknown): void {
  if (isFilePart(value)) {
    if (value.filename !== '') pending.files.push([name, value.filename.slice(0, 255)])
  } else if (typeof value === 'string') {
    if (!/password$/i.test(name)) pending.fields.push([name, value])
    else if (value !== '') pending.passwords.push(name)
  } else if (Array.isArray(value)) {
    value.forEach((one, index) => {
      addField(pending, typeof one === 'string' ? `${name}[]` : `${name}[${index}]`, one)
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) addField(pending, `${name}[${key}]`, one)
  }
}

/** Parses the hidden input: undefined unless it is a form of the console. */
export function parsePendingForm(text: unknown): PendingForm | undefined {
  if (typeof text !== 'string' || text === '' || text.length > pendingBytesMax) return undefined
  let given: Partial<PendingForm>
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const { path, fields, passwords, files } = given ?? {}
  const isOwn = typeof path === 'string' && /^\/admin\/(?!sign-|setup)[\w/%~-]+(?:\?[\x21-\x7e]*)?$/.test(path)
  if (!isOwn || !isPairList(fields) || !isTextList(passwords) || !isPairList(files)) return undefined
  return { path, fields: fields ?? [], passwords: passwords ?? [], files: files ?? [] }
}

function isPairList(value: unknown): boolean {
  return Array.isArray(value) && value.every(pair => isTextList(pair, 2))
}

function isTextList(value: unknown, length?: number): boolean {
  const isRight = Array.isArray(value) && (length === undefined || value.length === length)
  return isRight && value.every(one => typeof one === 'string')
}
