import { isFilePart } from '#platform/form.ts'

/**
 * What somebody typed into a form, on its way through a page that asks for something else first: a password, or to sign in.
 * It stays in the browser, in a hidden input, so that the server stores nothing for strangers. Passwords are not carried, as
 * a page never shows one again, and neither are files: both are asked for again.
 */
export interface CarriedForm {
  path: string
  fields: [name: string, value: string][]
  passwords: string[]
  files: string[]
}

/** Of strangers no more than this is sent back, as a form encodes it: with the rest of the form it stays below what they may send. */
const carriedBytesMax = 60_000

/** What a request has sent, without what only proves where it came from. */
export function toCarriedForm(path: string, form: Record<string, unknown>): CarriedForm {
  const carried: CarriedForm = { path, fields: [], passwords: [], files: [] }
  for (const [name, value] of Object.entries(form)) if (!name.startsWith('_')) add(carried, name, value)
  return carried
}

/** The same of somebody who has not signed in: undefined if it is too much. */
export function toCarriedFormOfStranger(path: string, form: Record<string, unknown>): CarriedForm | undefined {
  const carried = toCarriedForm(path, form)
  return encodeURIComponent(JSON.stringify(carried).toWellFormed()).length > carriedBytesMax ? undefined : carried
}

function add(carried: CarriedForm, name: string, value: unknown): void {
  if (isFilePart(value)) {
    if (value.filename !== '') carried.files.push(name)
  } else if (typeof value === 'string') {
    if (!/password$/i.test(name)) carried.fields.push([name, value])
    else if (value !== '') carried.passwords.push(name)
  } else if (Array.isArray(value)) {
    value.forEach((one, index) => {
      add(carried, typeof one === 'string' ? `${name}[]` : `${name}[${index}]`, one)
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) add(carried, `${name}[${key}]`, one)
  }
}

/** Reads what came back out of a page: undefined unless it is a form of the console. */
export function parseCarriedForm(text: unknown): CarriedForm | undefined {
  if (typeof text !== 'string' || text === '' || text.length > carriedBytesMax) return undefined
  let given: Partial<CarriedForm>
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const { path, fields, passwords, files } = given ?? {}
  const isOwn = typeof path === 'string' && /^\/admin\/(?!sign-|setup)[\w/%~-]+(?:\?[\x21-\x7e]*)?$/.test(path)
  const areFields = Array.isArray(fields) && fields.every(pair => Array.isArray(pair) && areTexts(pair, 2))
  if (!isOwn || !areFields || !areTexts(passwords) || !areTexts(files)) return undefined
  return { path, fields, passwords: passwords ?? [], files: files ?? [] }
}

function areTexts(value: unknown, length?: number): boolean {
  const isRight = Array.isArray(value) && (length === undefined || value.length === length)
  return isRight && value.every(one => typeof one === 'string')
}
